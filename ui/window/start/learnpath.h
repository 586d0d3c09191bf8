// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QWidget>

class QLabel;
class QToolButton;

namespace lockkeeper::ui {

// The first steps of the lab, in their order, and the recordings that come with the program: a button for each.
class LearnPath final : public QWidget {
    Q_OBJECT
public:
    explicit LearnPath(QWidget* parent = nullptr);

Q_SIGNALS:
    void experimentWanted(const QByteArray& id);
    void recordingWanted(const QString& path);

private:
    QToolButton* addButton(const QString& objectName);
    void retranslate();

    QLabel* m_heading;
    QLabel* m_text;
    QLabel* m_recorded;
    QList<QToolButton*> m_steps;
    QList<QToolButton*> m_recordings;
};

}  // namespace lockkeeper::ui
