// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionBadge;

// Asks at exit, when this console holds locks, whether to release or to keep them.
class ExitDialog final : public FittedDialog {
    Q_OBJECT
public:
    enum class Connection { Live, Lost };
    enum class Leaving { Connection, Program };

    // The own locks of one connection.
    struct HeldAt {
        profile::ProfileLabel label;
        QString server;
        QList<control::OwnLock> locks;
    };

    explicit ExitDialog(Leaving leaving, QWidget* parent = nullptr);

    // May be called while the dialog is open: locks may expire, and the connection may be lost.
    void setLocks(const QList<HeldAt>& held, Connection connection);

Q_SIGNALS:
    void chosen(lockkeeper::control::OwnLocksAtExit choice);

private:
    void retranslate();
    void choose(control::OwnLocksAtExit choice);

    Leaving m_leaving;
    QList<HeldAt> m_held;  // none is without locks
    Connection m_connection = Connection::Live;
    ConnectionBadge* m_badge;
    QLabel* m_headline;
    QLabel* m_locks;
    QLabel* m_note;
    QPushButton* m_release;
    QPushButton* m_keep;
};

}  // namespace lockkeeper::ui
