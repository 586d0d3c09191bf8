// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "ui/base/ticker.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/operate/changechoices.h"
#include "ui/operate/changedialog.h"
#include "ui/operate/forcetexts.h"
#include "ui/words/locktext.h"
#include "ui/words/viewtime.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace lockkeeper::ui {

class ChangeHeadline;
class DurationEdit;
class InlineMessage;
class SentCommandsView;
class WrappedText;

// Shows what breaking a lock, or another change of a lock of others, means before it is done, and stays true while it
// is open: when the lock changes, the operator must read the new state and confirm again.
class ForceReleaseDialog final : public ChangeDialog {
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
    // Text that was typed earlier, so that it is not lost.
    void setReason(const QString& reason);
    [[nodiscard]] QString reason() const;
    void follow(const monitor::LockRow& row);
    // Chooses this change, or the first one of its kind, if that is offered.
    void preselect(const control::LockChange& wanted);
    // Own: this console alone holds the lock.
    void setOwnership(Ownership ownership);
    // The lock's row is gone from the table: it is not known any more.
    void forget();
    // Names and addresses of the clients that hold it.
    void setKnowledge(const HolderKnowledge& knowledge);
    void setPermission(const Permission& permission);

Q_SIGNALS:
    void forceReleaseRequested(const lockkeeper::control::ForceReleaseRequest& request);
    // The reader wants to know who this client is.
    void identityWanted(const lockkeeper::ClientId& client, const lockkeeper::monitor::LockRow& lock);

protected:
    void showMissing() override;

private:
    void retranslate();
    void askForName();
    void makeWidgets();
    void makeLayout();
    void makeChoice();
    void fillChoices();
    void showTitle();
    void choose();
    [[nodiscard]] ChangeStanding standingNow() const;
    void findOut();
    void showCommands();
    void foldCommands();
    [[nodiscard]] control::LockChange chosen() const;
    // Why no client can be identified now; empty if one can.
    [[nodiscard]] QString findOutRefusal() const;
    [[nodiscard]] QString missingText() const;
    void confirmAgain();
    void showState();
    void showTimes();
    void showDeadWaiters();
    // Of the dead waiters, if they are to be removed, too.
    [[nodiscard]] std::vector<control::ForceReleaseRequest> removals() const;
    void requestForce();

    const ViewTime& m_viewTime;
    Clock& m_clock;
    Ticker m_ticker;
    monitor::LockRow m_row;             // the lock as it is now
    monitor::LockSnapshot m_confirmed;  // the state that the operator has read
    QList<control::LockChange> m_offers;
    control::LockChange m_change;  // the chosen one, without its time
    ChangeStanding m_standing = ChangeStanding::Confirmed;
    Permission m_permission;
    Ownership m_ownership = Ownership::Others;
    HolderKnowledge m_knowledge;

    ChangeHeadline* m_headline;
    WrappedText* m_facts;
    QLabel* m_ladder;
    QPushButton* m_findOut;
    QLabel* m_choiceCaption;
    QComboBox* m_choice;
    QCheckBox* m_removeDead;
    QList<monitor::FairWaiter> m_dead;  // that m_removeDead is about
    DurationEdit* m_time;
    InlineMessage* m_warning;
    InlineMessage* m_news;
    QPushButton* m_readAgain;
    SentCommandsView* m_commands;
};

}  // namespace lockkeeper::ui
