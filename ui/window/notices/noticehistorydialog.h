// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "ui/base/fitteddialog.h"

class QLabel;
class QPushButton;
class QTreeWidget;

namespace lockkeeper::ui {

class NoticeHistory;

// The latest notices, the newest first; one of a lock leads to the lock.
class NoticeHistoryDialog final : public FittedDialog {
    Q_OBJECT
public:
    // Both outlive it.
    NoticeHistoryDialog(NoticeHistory& history, const Clock& clock, QWidget* parent = nullptr);

Q_SIGNALS:
    void lockChosen(const QString& server, const lockkeeper::LockName& name);

private:
    void makeLayout();
    void retranslate();
    // Refreshes once for all notices that come until then.
    void scheduleRefresh();
    void refresh();
    void chooseCurrent();

    NoticeHistory& m_history;
    const Clock& m_clock;
    bool m_isRefreshDue = false;
    QTreeWidget* m_list;
    QLabel* m_empty;
    QPushButton* m_clear;
};

}  // namespace lockkeeper::ui
