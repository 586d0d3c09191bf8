// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "ui/operate/changedialog.h"
#include "ui/words/viewtime.h"

class QComboBox;
class QLabel;

namespace lockkeeper::ui {

class ChangeHeadline;
class InlineMessage;
class SentCommandsView;

// Shows what it means to return a permit whose lease is over, before it is done. It offers the leases that were over
// when it was opened. If one of them is returned or changed meanwhile, it says so.
class GiveBackDialog final : public ChangeDialog {
    Q_OBJECT
public:
    // time outlives the dialog.
    GiveBackDialog(const monitor::Synchronizer& semaphore, const ViewTime& time, QWidget* parent = nullptr);

    [[nodiscard]] const LockName& name() const noexcept { return m_semaphore.name; }
    // Null: no permit of it has a lease any more.
    void follow(const monitor::Synchronizer* now);
    // Why it may not be done now; empty: it may.
    void setRefusal(const QString& refusal);

Q_SIGNALS:
    void giveBackRequested(const lockkeeper::control::ForceReleaseRequest& request);

protected:
    void showMissing() override;

private:
    void retranslate();
    void makeLayout();
    void fillPermits();
    [[nodiscard]] control::LockChange chosen() const;
    [[nodiscard]] QString missingText() const;
    // What has become of the permit since; empty: nothing that is known.
    [[nodiscard]] QString newsOf(const monitor::PermitLease& permit) const;
    void request();

    monitor::Synchronizer m_semaphore;  // as it was read last
    const std::vector<monitor::PermitLease> m_permits;
    const ViewTime& m_time;
    QString m_refusal;

    ChangeHeadline* m_headline;
    QLabel* m_permitCaption;
    QComboBox* m_permit;
    InlineMessage* m_warning;
    SentCommandsView* m_commands;
};

}  // namespace lockkeeper::ui
