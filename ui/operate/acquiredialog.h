// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace lockkeeper::ui {

class ConnectionBadge;
class DurationEdit;

// Asks which lock to take for this console, for how long, and how long to wait for it.
class AcquireDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit AcquireDialog(QWidget* parent = nullptr);

    // Where the lock will be taken.
    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // Fills in the name and the kind of the selected lock. A name that is not text keeps its bytes until the user
    // edits it. own: the locks that this console holds; the dialog can extend their leases.
    void setLock(const monitor::LockSnapshot& lock, const QList<control::OwnLock>& own);

Q_SIGNALS:
    void acquireRequested(const lockkeeper::control::AcquireRequest& request);

private:
    void retranslate();
    void makeLayout();
    void updateState();
    void requestAcquire();
    [[nodiscard]] LockName enteredName() const;
    [[nodiscard]] control::OwnLockKind kind() const;
    // The hold of this console that would get a new lease; null if there is none.
    [[nodiscard]] const control::OwnLock* extended() const;
    [[nodiscard]] QString hint() const;

    LockName m_given;
    QString m_givenText;  // as it is shown
    QList<control::OwnLock> m_own;
    ConnectionBadge* m_connection;
    QLabel* m_nameCaption;
    QLabel* m_leaseCaption;
    QLabel* m_waitCaption;
    QLabel* m_kindCaption;
    QLineEdit* m_name;
    QComboBox* m_kind;
    QCheckBox* m_extend;
    QLabel* m_nameHint;
    QRadioButton* m_watchdog;
    QRadioButton* m_fixed;
    DurationEdit* m_lease;
    DurationEdit* m_wait;
    QPushButton* m_acquire;
};

}  // namespace lockkeeper::ui
