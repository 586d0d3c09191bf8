// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/pageoperations.h"

#include "ui/base/inlinemessage.h"
#include "ui/base/messagebar.h"
#include "ui/connections/pageconnection.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/operate/armingdialogs.h"
#include "ui/operate/lockdialogs.h"
#include "ui/operate/operationcontroller.h"
#include "ui/operate/removeplacesdialog.h"
#include "ui/words/armingtext.h"
#include "ui/words/errortext.h"
#include "ui/words/viewtime.h"

#include <algorithm>

namespace lockkeeper::ui {

PageOperations::PageOperations(const Context& context, QWidget& parent)
    : QObject(&parent),
      m_context(context),
      m_armingDialogs(new ArmingDialogs(parent)),
      m_lockDialogs(new LockDialogs(context.time, context.clock, parent)),
      m_controller(new OperationController(context.link, context.locks, context.messages, context.clock, this)) {
    connect(m_armingDialogs, &ArmingDialogs::armWanted, &context.link,
            [&link = context.link](std::chrono::minutes time) { link.request(ArmFor{time}); });
    connect(m_armingDialogs, &ArmingDialogs::checkWanted, &context.link,
            [&link = context.link] { link.request(CheckServer()); });
    connect(m_lockDialogs, &LockDialogs::acquireWanted, m_controller, &OperationController::acquire);
    connect(m_lockDialogs, &LockDialogs::forceReleaseWanted, m_controller, &OperationController::forceRelease);
    connect(m_lockDialogs, &LockDialogs::removalWanted, m_controller, &OperationController::change);
    connect(m_lockDialogs, &LockDialogs::identityWanted, this, &PageOperations::identityWanted);
    connect(m_lockDialogs, &LockDialogs::forceReleaseOpened, this, &PageOperations::updateDialogs);
    connect(m_controller, &OperationController::changesChanged, this, &PageOperations::updateDialogs);
    connect(m_controller, &OperationController::acquired, this, [this](const LockName& name) {
        m_acquired = name;
        selectAcquired();
    });
    context.link.onReport<OperationFinished>(
        m_lockDialogs, [this](const OperationFinished& finished) { m_lockDialogs->noteResult(finished.result); });
    context.link.onReport<Arming>(this, &PageOperations::showArming);
    context.link.onReport<ServerChecked>(m_armingDialogs, &ArmingDialogs::setCheck);
    context.link.onReport<SessionClosed>(m_controller, [this](SessionClosed) {
        m_controller->endChanges();
        m_armingDialogs->endCheck();
    });
}

QSet<ClientId> PageOperations::ownClients() const {
    QSet<ClientId> clients;
    for (const control::OwnLock& lock : m_ownLocks)
        clients.insert(lock.holder.client());
    return clients;
}

ActionRefusals PageOperations::refusals() const {
    const LockSelection& selection = m_context.page.selection();
    const monitor::LockRow* row = selection.actionRow();
    const Ownership ownership = row ? m_context.locks.ownership(row->lock.name) : Ownership::Others;
    return actionRefusals(m_context.status, m_arming, m_context.time, row, ownership, selection.absence());
}

// ---- what is known ----

void PageOperations::setStats(const std::optional<monitor::MonitorStats>& stats) {
    m_armingDialogs->setStats(stats);
}

void PageOperations::setOwnLocks(const QList<control::OwnLock>& locks) {
    m_ownLocks = locks;
    updateDialogs();
}

void PageOperations::setKnowledge(const HolderKnowledge& knowledge) {
    m_lockDialogs->setKnowledge(knowledge);
}

void PageOperations::setSynchronizers(const monitor::SynchronizerReading& reading) {
    const std::optional<LockName> name = m_lockDialogs->givenBack();
    if (!name)
        return;
    const auto now = std::ranges::find(reading.seen, *name, &monitor::Synchronizer::name);
    if (now != reading.seen.end())
        m_lockDialogs->followGivenBack(&*now);
    else if (reading.sight == monitor::SynchronizerReading::Sight::Clear && !reading.isCutOff())
        m_lockDialogs->followGivenBack(nullptr);
}

void PageOperations::refreshPlace() {
    m_lockDialogs->setConnection(m_context.connection.label(), serverText(m_context.status));
}

void PageOperations::update() {
    selectAcquired();
    updateDialogs();
}

void PageOperations::startOver() {
    m_lockDialogs->forgetReasons();
    m_acquired.reset();
    m_context.messages.withdraw(m_armingEnd);
    setStats({});
}

void PageOperations::endChanges() {
    m_controller->endChanges();
}

void PageOperations::showArming(const Arming& arming) {
    const bool ends = m_arming.isArmed() && !arming.isArmed();
    m_arming = arming;
    m_armingDialogs->setArming(arming);
    if (arming.isArmed())
        m_context.messages.withdraw(m_armingEnd);  // it is no longer true
    if (ends && !armingEndText(arming).isEmpty())
        m_armingEnd = m_context.messages.postRevocable([arming] {
            return Message{Tone::Warning, armingEndText(arming)};
        });
    updateDialogs();
    Q_EMIT armingChanged();
}

void PageOperations::updateDialogs() {
    m_armingDialogs->setRefusal(armRefusal(m_context.status, m_context.time));
    if (const std::optional<LockName> forced = m_lockDialogs->forcedLock())
        m_lockDialogs->followForced(m_context.locks.find(*forced), ownershipOf(*forced), changeRefusal(*forced));
    if (const std::optional<ClientId> removed = m_lockDialogs->removedClient())
        m_lockDialogs->followRemoval(deadPlaces(*removed), writeRefusal(m_context.status, m_arming, m_context.time));
    if (const std::optional<LockName> semaphore = m_lockDialogs->givenBack())
        m_lockDialogs->followGiveBack(changeRefusal(*semaphore));
}

QList<DeadPlace> PageOperations::deadPlaces(const ClientId& client) const {
    QList<DeadPlace> places;
    for (int row = 0; row < m_context.locks.rowCount(); ++row)
        places += deadPlacesOf(client, m_context.locks.rowAt(row));
    std::ranges::stable_sort(places, {}, [](const DeadPlace& place) { return place.lock.name.bytes(); });
    return places;
}

// A read lock may also have holds of others.
Ownership PageOperations::ownershipOf(const LockName& name) const {
    const monitor::LockRow* row = m_context.locks.find(name);
    const auto isOwn = [own = ownClients()](const monitor::Holder& holder) { return own.contains(holder.id.client()); };
    const bool isAllOwn =
        row && row->lock.isHeld() && !row->lock.isCut() && std::ranges::all_of(row->lock.holders, isOwn);
    return isAllOwn ? Ownership::Own : Ownership::Others;
}

QString PageOperations::changeRefusal(const LockName& name) const {
    const monitor::LockRow* row = m_context.locks.find(name);
    const QString refusal = row ? writeRefusal(m_context.status, m_arming, m_context.time, row->lock)
                                : writeRefusal(m_context.status, m_arming, m_context.time);
    if (!refusal.isEmpty() || !m_controller->isChanging(name))
        return refusal;
    return tr("A change of this lock is under way; its outcome is not known yet.");
}

// The row of the lock comes with a later batch.
void PageOperations::selectAcquired() {
    if (!m_acquired || !m_context.locks.find(*m_acquired))
        return;
    m_context.page.reveal(*m_acquired);
    m_acquired.reset();
}

// ---- what the window's actions do ----

void PageOperations::openArm() {
    m_armingDialogs->openArm(m_context.connection.label(), serverText(m_context.status));
}

void PageOperations::openRights() {
    const PageConnection& connection = m_context.connection;
    m_armingDialogs->openRights(connection.profile(), m_context.status, connection.label(),
                                serverText(m_context.status));
}

void PageOperations::openCheck() {
    m_armingDialogs->openCheck(m_context.connection.label(), serverText(m_context.status));
}

void PageOperations::disarm() {
    m_context.link.request(Disarm());
}

void PageOperations::openAcquire() {
    m_lockDialogs->openAcquire(m_context.page.selection().actionRow(), m_ownLocks);
}

void PageOperations::openForceRelease() {
    if (const monitor::LockRow* row = m_context.page.selection().actionRow())
        m_lockDialogs->openForceRelease(*row);
}

void PageOperations::openWaiterRemoval(const LockName& lock, const HolderId& waiter) {
    control::LockChange removal{control::ChangeKind::RemoveWaiter};
    removal.waiter.emplace().id = waiter;
    openChange(lock, removal);
}

void PageOperations::openChange(const LockName& lock, const control::LockChange& wanted) {
    if (const monitor::LockRow* row = m_context.locks.find(lock))
        m_lockDialogs->openForceRelease(*row, wanted);
}

void PageOperations::openClientRemoval(const ClientId& client) {
    m_lockDialogs->openRemoval(client, deadPlaces(client));
}

void PageOperations::openGiveBack(const monitor::Synchronizer& semaphore) {
    m_lockDialogs->openGiveBack(semaphore, changeRefusal(semaphore.name));
}

void PageOperations::releaseCurrent() {
    if (const monitor::LockRow* row = m_context.page.selection().actionRow())
        m_controller->release(row->lock.name);
}

}  // namespace lockkeeper::ui

#include "moc_pageoperations.cpp"
