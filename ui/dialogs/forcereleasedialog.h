// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "profile/profilelabel.h"
#include "ui/holders/holderknowledge.h"
#include "ui/time/ticker.h"
#include "ui/time/viewtime.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionBadge;
class InlineMessage;
class WrappedText;

// Shows what breaking a lock means before it is done, and stays true while it is open: when the lock changes, the operator
// must read the new state and confirm again.
class ForceReleaseDialog final : public QDialog {
    Q_OBJECT
public:
    // Whether the server may be asked to break a lock at the moment, and if not, why, in words.
    struct Permission {
        QString refusal;
        [[nodiscard]] bool isGiven() const noexcept { return refusal.isEmpty(); }
    };

    // time and clock outlive the dialog.
    ForceReleaseDialog(const monitor::LockRow& row, const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    [[nodiscard]] const LockName& lockName() const noexcept { return m_row.lock.name; }
    // Where the lock is.
    void setConnection(const profile::ProfileLabel& label, const QString& server);
    void follow(const monitor::LockRow& row);
    // The lock's row is gone from the table: it is not known any more.
    void forget();
    // Names and addresses of the clients that hold it.
    void setKnowledge(const HolderKnowledge& knowledge);
    void setPermission(const Permission& permission);

Q_SIGNALS:
    void forceReleaseRequested(const lockkeeper::control::ForceReleaseRequest& request);

private:
    enum class Standing { Confirmed, Changed, Gone };

    void retranslate();
    void makeWidgets();
    void makeLayout();
    void confirmAgain();
    void showState();
    void showTimes();
    void updateForce();
    void requestForce();
    [[nodiscard]] QString factsText() const;
    [[nodiscard]] QString ladderText() const;

    const ViewTime& m_time;
    Ticker m_ticker;
    monitor::LockRow m_row;             // the lock as it is now
    monitor::LockSnapshot m_confirmed;  // the state that the operator has read
    Standing m_standing = Standing::Confirmed;
    Permission m_permission;
    HolderKnowledge m_knowledge;

    ConnectionBadge* m_connection;
    QLabel* m_headline;
    WrappedText* m_facts;
    QLabel* m_ladder;
    InlineMessage* m_warning;
    InlineMessage* m_change;
    QPushButton* m_readAgain;
    QLabel* m_reasonCaption;
    QLineEdit* m_reason;
    QLabel* m_missing;
    QPushButton* m_force;
    QPushButton* m_cancel;
};

// Whether compare-and-release would find in `now` what was confirmed: holders with their counts and modes, kind of
// hold, and token.
[[nodiscard]] bool isSameHold(const monitor::LockSnapshot& confirmed, const monitor::LockSnapshot& now);

}  // namespace lockkeeper::ui
