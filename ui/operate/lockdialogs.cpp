// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/lockdialogs.h"

#include "ui/operate/acquiredialog.h"
#include "ui/operate/forcereleasedialog.h"
#include "ui/operate/givebackdialog.h"
#include "ui/operate/removeplacesdialog.h"

namespace lockkeeper::ui {

LockDialogs::LockDialogs(const ViewTime& time, Clock& clock, QWidget& page)
    : QObject(&page), m_time(time), m_clock(clock), m_page(page) {}

void LockDialogs::setConnection(const profile::ProfileLabel& label, const QString& server) {
    if (label == m_label && server == m_server)
        return;
    m_label = label;
    m_server = server;
    if (m_force)
        m_force->setConnection(m_label, m_server);
    if (m_removal)
        m_removal->setConnection(m_label, m_server);
    if (m_giveBack)
        m_giveBack->setConnection(m_label, m_server);
}

void LockDialogs::openAcquire(const monitor::LockRow* row, const QList<control::OwnLock>& ownLocks) {
    auto* dialog = new AcquireDialog(&m_page);
    dialog->setObjectName(QStringLiteral("acquireDialog"));
    dialog->setConnection(m_label, m_server);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (row)
        dialog->setLock(row->lock, ownLocks);
    connect(dialog, &AcquireDialog::acquireRequested, this, &LockDialogs::acquireWanted);
    dialog->open();
}

void LockDialogs::openForceRelease(const monitor::LockRow& row, const control::LockChange& wanted) {
    if (m_force && m_force->isVisible())
        return;
    auto* dialog = new ForceReleaseDialog(row, m_time, m_clock, &m_page);
    m_force = dialog;
    dialog->setObjectName(QStringLiteral("forceReleaseDialog"));
    dialog->setConnection(m_label, m_server);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setReason(m_reasons.value(row.lock.name));
    dialog->setKnowledge(m_knowledge);
    dialog->preselect(wanted);
    connect(dialog, &ForceReleaseDialog::forceReleaseRequested, this, &LockDialogs::forceReleaseWanted);
    connect(dialog, &ForceReleaseDialog::identityWanted, this, &LockDialogs::identityWanted);
    connect(dialog, &ForceReleaseDialog::finished, this, [this, dialog] { keepReason(*dialog); });
    Q_EMIT forceReleaseOpened();
    dialog->open();
}

void LockDialogs::openRemoval(const ClientId& client, const QList<DeadPlace>& places) {
    if (m_removal || places.isEmpty())
        return;
    m_removal = new RemovePlacesDialog(client, places, m_knowledge.aliases, &m_page);
    m_removal->setObjectName(QStringLiteral("removePlacesDialog"));
    m_removal->setConnection(m_label, m_server);
    m_removal->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_removal, &RemovePlacesDialog::removalRequested, this, &LockDialogs::removalWanted);
    Q_EMIT forceReleaseOpened();
    m_removal->open();
}

std::optional<ClientId> LockDialogs::removedClient() const {
    return m_removal ? std::optional(m_removal->client()) : std::nullopt;
}

void LockDialogs::followRemoval(const QList<DeadPlace>& places, const QString& refusal) {
    if (!m_removal)
        return;
    m_removal->setRefusal(refusal);
    m_removal->follow(places);
}

void LockDialogs::openGiveBack(const monitor::Synchronizer& semaphore, const QString& refusal) {
    if (m_giveBack && m_giveBack->isVisible())
        return;
    auto* dialog = new GiveBackDialog(semaphore, m_time, &m_page);
    m_giveBack = dialog;
    dialog->setObjectName(QStringLiteral("giveBackDialog"));
    dialog->setConnection(m_label, m_server);
    dialog->setRefusal(refusal);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GiveBackDialog::giveBackRequested, this, &LockDialogs::forceReleaseWanted);
    dialog->open();
}

std::optional<LockName> LockDialogs::givenBack() const {
    return m_giveBack ? std::optional(m_giveBack->name()) : std::nullopt;
}

void LockDialogs::followGiveBack(const QString& refusal) {
    if (m_giveBack)
        m_giveBack->setRefusal(refusal);
}

void LockDialogs::followGivenBack(const monitor::Synchronizer* now) {
    if (m_giveBack)
        m_giveBack->follow(now);
}

// If a change was not made, the user is asked again with the same reason filled in.
void LockDialogs::noteResult(const control::OperationResult& result) {
    if (result.outcome == control::Outcome::ForceReleased || result.outcome == control::Outcome::AlreadyFree)
        m_reasons.remove(result.name);
}

void LockDialogs::keepReason(const ForceReleaseDialog& dialog) {
    constexpr qsizetype keptAtMost = 50;
    if (dialog.reason().trimmed().isEmpty())
        m_reasons.remove(dialog.lockName());
    else if (m_reasons.size() < keptAtMost || m_reasons.contains(dialog.lockName()))
        m_reasons.insert(dialog.lockName(), dialog.reason());
}

std::optional<LockName> LockDialogs::forcedLock() const {
    return m_force ? std::optional(m_force->lockName()) : std::nullopt;
}

void LockDialogs::followForced(const monitor::LockRow* row, Ownership ownership, const QString& refusal) {
    if (!m_force)
        return;
    m_force->setOwnership(ownership);
    m_force->setPermission({refusal});
    if (row)
        m_force->follow(*row);
    else
        m_force->forget();
}

void LockDialogs::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    if (m_force)
        m_force->setKnowledge(knowledge);
}

}  // namespace lockkeeper::ui

#include "moc_lockdialogs.cpp"
