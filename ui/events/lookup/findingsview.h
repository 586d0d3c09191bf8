// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorfinding.h"
#include "ui/words/holderaliases.h"
#include "ui/words/viewtime.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace lockkeeper::ui {

// The errors that a text has, as a list, and the chosen one explained. Hidden while there is none.
class FindingsView final : public QWidget {
    Q_OBJECT
public:
    // time outlives the view.
    explicit FindingsView(const ViewTime& time, QWidget* parent = nullptr);

    // zone: in which times without a zone were taken.
    void setReport(const monitor::ErrorReport& report, const QString& zone);
    void setAliases(const HolderAliases& aliases);
    void retranslate();
    [[nodiscard]] bool isEmpty() const { return m_report.findings.empty(); }
    [[nodiscard]] const monitor::ErrorFinding* chosen() const;

Q_SIGNALS:
    // The user has chosen another error of the list.
    void findingChosen();
    void lockChosen(const lockkeeper::LockName& name);

private:
    void fillList();
    void explain();

    const ViewTime& m_time;
    HolderAliases m_aliases;
    monitor::ErrorReport m_report;
    QString m_zone;
    QListWidget* m_list;
    QPlainTextEdit* m_text;
    QLabel* m_notes;
    QPushButton* m_toLock;
};

}  // namespace lockkeeper::ui
