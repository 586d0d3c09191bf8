// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/holders/holdercontroller.h"

#include "ui/base/messagebar.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/identifydialog.h"
#include "ui/locks/holders/waitdialog.h"
#include "ui/words/identitytext.h"

#include <QInputDialog>

namespace lockkeeper::ui {

namespace {

// The user asked for each identity by hand.
constexpr qsizetype identitiesKept = 500;
// Each arming of a console makes another client.
constexpr qsizetype ownKept = 100;

}  // namespace

HolderController::HolderController(SessionLink& link, Clock& clock, ClientNames& names, MessageBar& messages,
                                   QWidget& window)
    : QObject(&window), m_link(link), m_clock(clock), m_names(names), m_messages(messages), m_window(window) {
    m_knowledge.aliases = m_names.aliases();
    m_shown = m_knowledge;
    connect(&m_names, &ClientNames::changed, this, &HolderController::takeNames);
    m_link.onReport<HolderIdentified>(this, &HolderController::finish);
}

void HolderController::askToIdentify(const ClientId& client, const monitor::LockRow& lock) {
    if (m_dialog || m_search)
        return;
    IdentifyQuestion question;
    question.search = {lock.lock.name, client, monitor::listeningTime(lock.hold.peakTtl)};
    question.client = m_shown.aliases.fullDisplay(client);
    question.renewal = lock.hold.renewals > 0 ? IdentifyQuestion::Renewal::Seen : IdentifyQuestion::Renewal::NotSeen;
    m_dialog = new IdentifyDialog(question, &m_window);
    m_dialog->setObjectName(QStringLiteral("identifyDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &IdentifyDialog::accepted, this, [this, search = question.search] { listen(search); });
    m_dialog->open();
}

void HolderController::listen(const monitor::HolderSearch& search) {
    m_knowledge.searching = search.client;
    m_knowledge.searchEnds = m_clock.wallNow() + search.limit;
    m_search = m_link.request(search);
    announce();
}

void HolderController::stopListening() {
    if (m_search)
        m_link.request(CancelOperation{*m_search});
}

void HolderController::finish(const HolderIdentified& identified) {
    const monitor::HolderIdentity& identity = identified.identity;
    if (m_search != identified.operation)
        return;
    m_search.reset();
    m_knowledge.searching.reset();
    keep(identity);
    announce();
    report(identity);
}

// The details show the identity, too, but only while the client holds the selected lock. So the message stays until
// it is closed.
void HolderController::report(const monitor::HolderIdentity& identity) {
    m_messages.post([identity, client = m_shown.aliases.fullDisplay(identity.client), now = m_clock.wallNow()] {
        const QString found = identityText(identity, now).replace(u'\n', u' ');
        return Message{Tone::Info, tr("Client %1: %2").arg(client, found)};
    });
}

// An identity that was certain is not replaced by a failure to find it again.
void HolderController::keep(const monitor::HolderIdentity& identity) {
    const auto known = m_knowledge.identities.constFind(identity.client);
    const bool confirmed = known != m_knowledge.identities.cend() && known->basis == monitor::IdentityBasis::Monitor;
    if (confirmed && identity.basis != monitor::IdentityBasis::Monitor)
        return;
    if (m_knowledge.identities.size() >= identitiesKept && known == m_knowledge.identities.cend())
        m_knowledge.identities.erase(m_knowledge.identities.cbegin());
    m_knowledge.identities.insert(identity.client, identity);
    showHosts();
}

void HolderController::showHosts() {
    QHash<ClientId, QString> hosts;
    for (const monitor::HolderIdentity& identity : std::as_const(m_knowledge.identities)) {
        if (const QString host = hostText(identity); !host.isEmpty())
            hosts.insert(identity.client, host);
    }
    m_knowledge.aliases.setHosts(std::move(hosts));
}

void HolderController::forgetClients() {
    m_knowledge.identities.clear();
    m_knowledge.searching.reset();
    m_search.reset();
    showHosts();
    announce();
}

void HolderController::setNames(const ProgramNames& names) {
    if (names == m_knowledge.names)
        return;
    m_knowledge.names = names;
    announce();
}

void HolderController::addOwn(const QSet<ClientId>& clients) {
    if (m_own.contains(clients))
        return;
    if (m_own.size() >= ownKept)
        m_own.clear();
    m_own.unite(clients);
    announce();
}

void HolderController::announce() {
    m_shown = m_knowledge;
    for (const ClientId& client : std::as_const(m_own))
        m_shown.aliases.set(client, tr("this console"));
    Q_EMIT knowledgeChanged();
}

void HolderController::askForAlias(const ClientId& client) {
    auto* dialog = new QInputDialog(&m_window);
    dialog->setObjectName(QStringLiteral("aliasDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    keepTranslated(*dialog, [dialog, uuid = QString::fromLatin1(client.bytes())] {
        dialog->setWindowTitle(tr("Name this client"));
        dialog->setLabelText(
            tr("Your name for client %1; an empty name removes it.\nKept on this computer, and shown instead of the UUID. "
               "A restarted client has another UUID.")
                .arg(uuid));
    });
    makePlain(*dialog);
    dialog->setTextValue(m_knowledge.aliases.of(client));
    connect(dialog, &QInputDialog::textValueSelected, &m_names,
            [this, client](const QString& alias) { m_names.set(client, alias); });
    dialog->open();
}

void HolderController::takeNames() {
    m_knowledge.aliases = m_names.aliases();
    showHosts();
    announce();
}

void HolderController::openWaits(const LockTableModel& locks, const ViewTime& time) {
    if (!m_waits) {
        m_waits = new WaitDialog(locks, time, m_clock, &m_window);
        m_waits->setObjectName(QStringLiteral("waitDialog"));
        m_waits->setAttribute(Qt::WA_DeleteOnClose);
        m_waits->setKnowledge(m_shown);
        connect(m_waits, &WaitDialog::lockChosen, this, &HolderController::lockChosen);
        connect(this, &HolderController::knowledgeChanged, m_waits, [this] { m_waits->setKnowledge(m_shown); });
    }
    m_waits->show();
    m_waits->raise();
    m_waits->activateWindow();
}

}  // namespace lockkeeper::ui

#include "moc_holdercontroller.cpp"
