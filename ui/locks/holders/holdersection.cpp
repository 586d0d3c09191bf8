// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/holders/holdersection.h"

#include "ui/base/flowlayout.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/wrappedtext.h"
#include "ui/words/identitytext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QComboBox>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

// Nobody chooses among more clients.
constexpr qsizetype offeredAtMost = 100;
constexpr int mostHolderLines = 8;
constexpr int buttonGap = 4;

// Sets the texts of the menu and of the button, each with an access key of its own.
void setTexts(QAction& action, const QString& inMenu, const QString& onButton) {
    action.setText(inMenu);
    action.setIconText(onButton);
}

QList<ClientId> clientsOf(const monitor::LockSnapshot& lock) {
    QList<ClientId> clients;
    for (const monitor::Holder& holder : lock.holders) {
        if (clients.size() < offeredAtMost && !clients.contains(holder.id.client()))
            clients.append(holder.id.client());
    }
    return clients;
}

}  // namespace

HolderSection::HolderSection(const ViewTime& time, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_choice(new QComboBox(this)),
      m_find(makeButton(QStringLiteral("holderFind"))),
      m_stop(makeButton(QStringLiteral("holderStop"))),
      m_findAction(makeAction(*m_find, QStringLiteral("search"))),
      m_stopAction(makeAction(*m_stop, QStringLiteral("close"))),
      m_dump(makeButton(QStringLiteral("holderDump"))),
      m_dumpAction(makeAction(*m_dump)),
      m_alias(makeButton(QStringLiteral("holderAlias"))),
      m_aliasAction(makeAction(*m_alias)),
      m_locks(makeButton(QStringLiteral("holderLocks"))),
      m_locksAction(makeAction(*m_locks)),
      m_clientAction(new QAction(this)),
      m_identity(new WrappedText(mostHolderLines, this)) {
    m_choice->setObjectName(QStringLiteral("holderChoice"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_identity->setObjectName(QStringLiteral("holderIdentity"));
    makeLayout();
    connect(m_choice, &QComboBox::currentIndexChanged, this, &HolderSection::refresh);
    connect(m_findAction, &QAction::triggered, this, [this] {
        if (m_lock)
            Q_EMIT identityWanted(client(), *m_lock);
    });
    connect(m_stopAction, &QAction::triggered, this, &HolderSection::stopWanted);
    connect(m_dumpAction, &QAction::triggered, this, [this] { Q_EMIT dumpWanted(client()); });
    connect(m_aliasAction, &QAction::triggered, this, [this] { Q_EMIT aliasWanted(client()); });
    m_clientAction->setObjectName(QStringLiteral("holderClientAction"));
    connect(m_clientAction, &QAction::triggered, this, [this] { Q_EMIT clientWanted(client()); });
    connect(m_locksAction, &QAction::triggered, this, [this] { Q_EMIT locksWanted(client()); });
    setLock({});
    keepTranslated(*this, [this] { retranslate(); });
}

void HolderSection::retranslate() {
    setTexts(*m_findAction, tr("Fin&d out who this is…"), tr("&Find out who this is…"));
    setTexts(*m_stopAction, tr("&Stop listening"), tr("&Stop listening"));
    setTexts(*m_dumpAction, tr("Get a &thread dump of it…"), tr("Get a thread d&ump…"));
    setTexts(*m_aliasAction, tr("&Name this client…"), tr("&Name this client…"));
    setTexts(*m_locksAction, tr("All loc&ks of its holder"), tr("Loc&ks of this client"));
    m_clientAction->setText(tr("Show its &holder among the clients"));
    m_choice->setAccessibleName(tr("Client among those that hold the lock"));
    m_identity->setAccessibleName(tr("Who this client is"));
    m_aliasAction->setToolTip(
        helpTip(tr("Give this client a name of your own, shown instead of its UUID; only this program knows it")));
    m_dumpAction->setToolTip(helpTip(tr("What its threads do, from its JVM; shows what would run, and asks first")));
    m_locksAction->setToolTip(helpTip(tr("Show only the locks that this client holds")));
    setKnowledge(HolderKnowledge(m_knowledge));
}

QAction* HolderSection::makeAction(QToolButton& button, const QString& iconName) {
    auto* action = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), QString(), this);
    action->setObjectName(button.objectName() + QStringLiteral("Action"));
    button.setDefaultAction(action);
    return action;
}

QToolButton* HolderSection::makeButton(const QString& objectName) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void HolderSection::makeLayout() {
    auto* find = new FlowLayout(buttonGap);
    find->addWidget(m_find);
    find->addWidget(m_stop);
    auto* more = new FlowLayout(buttonGap);
    more->addWidget(m_dump);
    more->addWidget(m_alias);
    more->addWidget(m_locks);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_choice);
    layout->addLayout(find);
    layout->addLayout(more);
    // Below the buttons, so that they keep their place when it appears.
    layout->addWidget(m_identity);
}

void HolderSection::setLock(const std::optional<monitor::LockRow>& lock) {
    if (!m_lock || !lock || m_lock->lock.name != lock->lock.name)
        m_identity->forgetHeight();
    m_lock = lock;
    const QList<ClientId> clients = lock ? clientsOf(lock->lock) : QList<ClientId>();
    if (clients != m_clients) {
        const ClientId chosen = client();
        m_clients = clients;
        fillClients();
        m_choice->setCurrentIndex(std::max<int>(0, static_cast<int>(m_clients.indexOf(chosen))));
    }
    setVisible(m_lock.has_value());
    refresh();
}

void HolderSection::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    const int chosen = m_choice->currentIndex();
    fillClients();
    m_choice->setCurrentIndex(chosen);
    refresh();
}

void HolderSection::fillClients() {
    const QSignalBlocker quiet(m_choice);
    m_choice->clear();
    for (const ClientId& client : m_clients)
        m_choice->addItem(m_knowledge.aliases.fullDisplay(client));
}

ClientId HolderSection::client() const {
    return m_clients.value(std::max(0, m_choice->currentIndex()));
}

QString HolderSection::findRefusal() const {
    if (m_clients.isEmpty())
        return tr("Nobody holds this lock.");
    if (m_time.isRecording())
        return tr("This is a recording: there is no server.");
    if (!m_time.isLive())
        return tr("Not connected.");
    if (m_lock && !m_time.of(m_lock->lock).isLive())
        return tr("The node of this lock cannot be reached.");
    return m_knowledge.searching ? tr("A MONITOR is under way; there is one at a time.") : QString();
}

void HolderSection::refresh() {
    m_choice->setVisible(m_clients.size() > 1);
    const bool searching = !m_clients.isEmpty() && m_knowledge.searching == client();
    const QString refusal = findRefusal();
    m_find->setVisible(!searching);
    m_findAction->setVisible(!searching);
    m_findAction->setEnabled(refusal.isEmpty());
    m_findAction->setToolTip(helpTip(
        refusal.isEmpty() ? tr("Its address, name and user, by a short MONITOR; explains the cost, and asks first")
                          : refusal));
    m_stop->setVisible(searching);
    m_stopAction->setVisible(searching);
    m_dumpAction->setEnabled(!m_clients.isEmpty() && m_time.isLive() && !m_time.isRecording());
    m_aliasAction->setEnabled(!m_clients.isEmpty());
    m_locksAction->setEnabled(!m_clients.isEmpty());
    m_clientAction->setEnabled(!m_clients.isEmpty());
    const auto known = m_knowledge.identities.constFind(client());
    QString text;
    if (searching)
        text = tr("Listening with MONITOR, until %1 at the latest …")
                   .arg(clockText(m_knowledge.searchEnds, m_time.wallNow()));
    else if (known != m_knowledge.identities.cend())
        text = identityText(*known, m_time.wallNow());
    m_identity->setText(text);
    m_identity->setVisible(!text.isEmpty());
}

}  // namespace lockkeeper::ui

#include "moc_holdersection.cpp"
