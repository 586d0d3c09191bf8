// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QLabel;

namespace lockkeeper::ui {

// The first steps of the lab, in their order: a button for each experiment.
class LearnPath final : public QWidget {
    Q_OBJECT
public:
    explicit LearnPath(QWidget* parent = nullptr);

Q_SIGNALS:
    void experimentWanted(const QByteArray& id);

private:
    void retranslate();

    QLabel* m_heading;
    QLabel* m_text;
};

}  // namespace lockkeeper::ui
