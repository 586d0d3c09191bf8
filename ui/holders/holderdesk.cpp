#include "ui/holders/holderdesk.h"

#include "ui/holders/identifydialog.h"
#include "ui/holders/waitdialog.h"
#include "ui/look/plainlabel.h"

#include <QInputDialog>

namespace lockkeeper::ui {

namespace {

// Each was asked for by hand.
constexpr qsizetype identitiesKept = 500;

}  // namespace

HolderDesk::HolderDesk(Engine& engine, Clock& clock, QSettings& settings, QWidget& window)
    : QObject(&window), m_engine(engine), m_clock(clock), m_settings(settings), m_window(window) {
    m_knowledge.aliases = HolderAliases::load(settings);
    connect(&m_engine, &Engine::holderIdentified, this, &HolderDesk::finish);
}

void HolderDesk::askToIdentify(const ClientId& client, const monitor::LockRow& lock) {
    if (m_dialog || m_search)
        return;
    const QString alias = m_knowledge.aliases.of(client);
    const QString uuid = QString::fromLatin1(client.bytes());
    IdentifyQuestion question;
    question.search = {client, monitor::listeningTime(lock.peakTtl)};
    question.client = alias.isEmpty() ? uuid : tr("%1 (%2)").arg(alias, uuid);
    question.renewal = lock.renewals > 0 ? IdentifyQuestion::Renewal::Seen : IdentifyQuestion::Renewal::NotSeen;
    m_dialog = new IdentifyDialog(question, &m_window);
    m_dialog->setObjectName(QStringLiteral("identifyDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &IdentifyDialog::accepted, this, [this, search = question.search] { listen(search); });
    m_dialog->open();
}

void HolderDesk::listen(const monitor::HolderSearch& search) {
    m_knowledge.searching = search.client;
    m_knowledge.searchEnds = m_clock.wallNow() + search.limit;
    m_search = m_engine.identify(search);
    Q_EMIT knowledgeChanged();
}

void HolderDesk::stopListening() {
    if (m_search)
        m_engine.cancel(*m_search);
}

void HolderDesk::finish(OperationId operation, const monitor::HolderIdentity& identity) {
    if (m_search != operation)
        return;
    m_search.reset();
    m_knowledge.searching.reset();
    keep(identity);
    Q_EMIT knowledgeChanged();
}

// What was certain once is worth more than that it was not found again.
void HolderDesk::keep(const monitor::HolderIdentity& identity) {
    const auto known = m_knowledge.identities.constFind(identity.client);
    const bool confirmed = known != m_knowledge.identities.cend() && known->basis == monitor::IdentityBasis::Monitor;
    if (confirmed && identity.basis != monitor::IdentityBasis::Monitor)
        return;
    if (m_knowledge.identities.size() >= identitiesKept && known == m_knowledge.identities.cend())
        m_knowledge.identities.erase(m_knowledge.identities.cbegin());
    m_knowledge.identities.insert(identity.client, identity);
}

void HolderDesk::forgetIdentities() {
    m_knowledge.identities.clear();
    Q_EMIT knowledgeChanged();
}

void HolderDesk::askForAlias(const ClientId& client) {
    auto* dialog = new QInputDialog(&m_window);
    dialog->setObjectName(QStringLiteral("aliasDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Name this client"));
    dialog->setLabelText(
        tr("Your name for client %1; empty takes it away.\nKept on this computer, and shown instead of the UUID. "
           "A restarted client has another UUID.")
            .arg(QString::fromLatin1(client.bytes())));
    makePlain(*dialog);
    dialog->setTextValue(m_knowledge.aliases.of(client));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, client](const QString& alias) { setAlias(client, alias); });
    dialog->open();
}

void HolderDesk::setAlias(const ClientId& client, const QString& alias) {
    m_knowledge.aliases.set(client, alias);
    m_knowledge.aliases.save(m_settings);
    Q_EMIT knowledgeChanged();
}

void HolderDesk::openWaits(const LockTableModel& locks, const ViewTime& time) {
    if (!m_waits) {
        m_waits = new WaitDialog(locks, time, m_clock, &m_window);
        m_waits->setObjectName(QStringLiteral("waitDialog"));
        m_waits->setAttribute(Qt::WA_DeleteOnClose);
        m_waits->setKnowledge(m_knowledge);
        connect(m_waits, &WaitDialog::lockChosen, this, &HolderDesk::lockChosen);
        connect(this, &HolderDesk::knowledgeChanged, m_waits, [this] { m_waits->setKnowledge(m_knowledge); });
    }
    m_waits->show();
    m_waits->raise();
    m_waits->activateWindow();
}

}  // namespace lockkeeper::ui

#include "moc_holderdesk.cpp"
