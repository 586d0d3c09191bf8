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

// Shows what it means to return a permit whose lease is over, before it is done. The script compares the lease, so
// the dialog need not follow the semaphore.
class GiveBackDialog final : public ChangeDialog {
    Q_OBJECT
public:
    // time outlives the dialog.
    GiveBackDialog(const monitor::Synchronizer& semaphore, const ViewTime& time, QWidget* parent = nullptr);

    [[nodiscard]] const LockName& name() const noexcept { return m_semaphore.name; }
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
    void request();

    const monitor::Synchronizer m_semaphore;
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
