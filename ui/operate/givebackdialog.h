// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"
#include "ui/words/viewtime.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

class ChangeHeadline;
class ConnectionBadge;
class InlineMessage;
class SentCommandsView;

// Shows what it means to return a permit whose lease is over, before it is done. The script compares the lease, so
// the dialog need not follow the semaphore.
class GiveBackDialog final : public FittedDialog {
    Q_OBJECT
public:
    // time outlives the dialog.
    GiveBackDialog(const monitor::Synchronizer& semaphore, const ViewTime& time, QWidget* parent = nullptr);

    [[nodiscard]] const LockName& name() const noexcept { return m_semaphore.name; }
    // Where the semaphore is. On production its name must be typed.
    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // Why it may not be done now; empty: it may.
    void setRefusal(const QString& refusal);

Q_SIGNALS:
    void giveBackRequested(const lockkeeper::control::ForceReleaseRequest& request);

private:
    void retranslate();
    void makeLayout();
    void fillPermits();
    [[nodiscard]] control::LockChange chosen() const;
    [[nodiscard]] QString missingText() const;
    void update();
    void request();

    const monitor::Synchronizer m_semaphore;
    const std::vector<monitor::PermitLease> m_permits;
    const ViewTime& m_time;
    QString m_refusal;
    QString m_server;
    bool m_isProduction = false;

    ConnectionBadge* m_connection;
    ChangeHeadline* m_headline;
    QLabel* m_permitCaption;
    QComboBox* m_permit;
    QLabel* m_nameCaption;
    QLineEdit* m_name;
    QLabel* m_reasonCaption;
    QLineEdit* m_reason;
    QLabel* m_missing;
    InlineMessage* m_warning;
    SentCommandsView* m_commands;
    QPushButton* m_giveBack;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
