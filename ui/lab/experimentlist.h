// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTreeWidget>

namespace lockkeeper::ui {

// The experiments by family, in the order in which they are best learnt; above them, again, the five for a beginning.
class ExperimentList final : public QTreeWidget {
    Q_OBJECT
public:
    explicit ExperimentList(QWidget* parent = nullptr);

    // The path of a newcomer: from one holder to why a short lease lets two work, and what helps.
    [[nodiscard]] static QByteArrayList firstSteps();

    // The experiment of the current row; empty on a family.
    [[nodiscard]] QByteArray current() const;
    // Selects the first row of this experiment.
    void select(const QByteArray& id);

Q_SIGNALS:
    void chosen(const QByteArray& id);

private:
    void retranslate();
};

}  // namespace lockkeeper::ui
