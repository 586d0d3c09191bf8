// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTreeWidget>

namespace lockkeeper::ui {

// The experiments by family, in the order in which they are best learnt.
class ExperimentList final : public QTreeWidget {
    Q_OBJECT
public:
    explicit ExperimentList(QWidget* parent = nullptr);

    // Of the current row; empty on a family.
    [[nodiscard]] QByteArray current() const;
    void select(const QByteArray& id);

Q_SIGNALS:
    void chosen(const QByteArray& id);

private:
    void retranslate();
};

}  // namespace lockkeeper::ui
