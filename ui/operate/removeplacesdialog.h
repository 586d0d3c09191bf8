// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "monitor/model/lockrow.h"
#include "ui/operate/changedialog.h"
#include "ui/operate/forcetexts.h"
#include "ui/words/holderaliases.h"

class QLabel;

namespace lockkeeper::ui {

class InlineMessage;
class WrappedText;

// A place in the queue of a fair lock whose waiter is proven dead, and the lock as it was read.
struct DeadPlace {
    monitor::LockSnapshot lock;
    monitor::FairWaiter waiter;
};

// The places of this client, by the locks' names.
[[nodiscard]] QList<DeadPlace> deadPlacesOf(const ClientId& client, const monitor::LockRow& row);

// Shows the places of one client in the queues of fair locks, all of waiters that are proven dead, and asks once
// whether to remove them. Each is then a change of its own, which compares its lock and proves its waiter dead again.
class RemovePlacesDialog final : public ChangeDialog {
    Q_OBJECT
public:
    RemovePlacesDialog(const ClientId& client, const QList<DeadPlace>& places, const HolderAliases& aliases,
                       QWidget* parent = nullptr);

    [[nodiscard]] const ClientId& client() const noexcept { return m_client; }
    // The places now: those that are not among them any more are left out. Others are not added, because the operator
    // has not read them.
    void follow(const QList<DeadPlace>& places);
    // refusal: why nothing may be changed; empty: it may.
    void setRefusal(const QString& refusal);

Q_SIGNALS:
    // One for each place.
    void removalRequested(const QList<lockkeeper::control::ForceReleaseRequest>& requests);

protected:
    void showMissing() override;

private:
    void retranslate();
    void makeLayout();
    [[nodiscard]] QString placesText() const;
    [[nodiscard]] QString missingText() const;
    // The beginning of the client's id.
    [[nodiscard]] NameProof proof() const;
    void request();

    const ClientId m_client;
    const HolderAliases m_aliases;
    const qsizetype m_first;  // places at first
    QList<DeadPlace> m_places;
    QString m_refusal;
    QLabel* m_headline;
    InlineMessage* m_news;
    WrappedText* m_list;
    InlineMessage* m_warning;
};

}  // namespace lockkeeper::ui
