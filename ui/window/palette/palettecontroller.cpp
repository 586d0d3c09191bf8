// SPDX-License-Identifier: Apache-2.0
#include "ui/window/palette/palettecontroller.h"

#include "ui/base/icons.h"
#include "ui/base/messagebar.h"
#include "ui/connections/knownconnections.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/window/palette/menuactions.h"
#include "ui/window/tabs/sessiontabs.h"
#include "ui/words/environmenttext.h"

#include <QAction>
#include <QMainWindow>
#include <QMenuBar>

namespace lockkeeper::ui {

namespace {

constexpr size_t mostClientsListed = 20'000;
constexpr int submenuHandicap = 5;  // each column of the table has two actions

// kind: a letter that says what `rest` names.
QByteArray idOf(char kind, const QByteArray& rest) {
    return kind + rest;
}

// The row may have gone since the palette was opened.
void goToLock(SessionPage& page, const LockName& name) {
    if (page.tools().locks().find(name))
        return page.locksPage().reveal(name);
    page.messages().post([name] {
        return Message{
            Tone::Info,
            PaletteController::tr("The lock %1 is not in the table any more.").arg(shortened(plainName(name)))};
    });
}

// How many locks each client holds, in the order in which they appear.
class HeldCounts {
public:
    void add(const monitor::LockSnapshot& lock) {
        for (const monitor::Holder& holder : lock.holders) {
            const ClientId client = holder.id.client();
            const auto known = m_counts.find(client);
            if (known != m_counts.end())
                ++*known;
            else if (m_order.size() < mostClientsListed) {
                m_counts.insert(client, 1);
                m_order.push_back(client);
            }
        }
    }
    [[nodiscard]] const std::vector<ClientId>& clients() const { return m_order; }
    [[nodiscard]] int of(const ClientId& client) const { return m_counts.value(client); }

private:
    QHash<ClientId, int> m_counts;
    std::vector<ClientId> m_order;
};

}  // namespace

PaletteController::PaletteController(KnownConnections& known, SessionTabs& tabs, QMainWindow& window)
    : QObject(&window), m_known(known), m_tabs(tabs), m_window(window) {}

void PaletteController::open() {
    if (m_dialog)
        return;
    m_dialog = new PaletteDialog([this] { return entries(); }, &m_window);
    m_dialog->setObjectName(QStringLiteral("paletteDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->open();
}

std::vector<PaletteEntry> PaletteController::entries() {
    std::vector<PaletteEntry> entries;
    addActions(entries);
    addConnections(entries);
    addClients(entries);
    addLocks(entries);
    return entries;
}

void PaletteController::addActions(std::vector<PaletteEntry>& entries) const {
    for (const MenuAction& one : menuActions(*m_window.menuBar())) {
        const QString detail = tr("Action: %1").arg(one.menu);
        const QString key = one.action->shortcut().toString(QKeySequence::NativeText);
        const bool isInSubmenu = one.menu.contains(u'>');
        entries.push_back({idOf('a', one.action->objectName().toUtf8()), one.action->icon(), one.text, detail, key,
                           one.action->isEnabled(), !isInSubmenu,
                           [action = QPointer<QAction>(one.action)] {
                               if (action)
                                   action->trigger();
                           },
                           isInSubmenu ? submenuHandicap : 0});
    }
}

void PaletteController::addConnections(std::vector<PaletteEntry>& entries) {
    for (SessionPage* page : m_tabs.pages()) {
        const QString name = connectionName(page->label(), page->server());
        if (!page->isFree() && page != &m_tabs.currentPage())
            entries.push_back({idOf('o', page->server().toUtf8()), icon(QStringLiteral("connect")), name,
                               tr("Open connection"), QString(), true, true,
                               [tabs = &m_tabs, shown = QPointer<SessionPage>(page)] {
                                   if (shown)
                                       tabs->bringToFront(*shown);
                               }});
    }
    for (const profile::StoredProfile& stored : m_known.saved() + m_known.recent()) {
        const QString name = connectionName(stored.label, stored.profile.display());
        const QString detail =
            stored.isSaved() ? tr("Saved connection: %1").arg(stored.profile.display()) : tr("Recent connection");
        entries.push_back({idOf('k', stored.profile.id.text().toUtf8()), icon(QStringLiteral("connect")), name, detail,
                           QString(), true, true, [this, stored] { Q_EMIT connectionChosen(stored); }});
    }
}

void PaletteController::addClients(std::vector<PaletteEntry>& entries) const {
    SessionPage& page = m_tabs.currentPage();
    const LockTableModel& locks = page.tools().locks();
    HeldCounts counts;
    for (int row = 0; row < locks.rowCount(); ++row)
        counts.add(locks.rowAt(row).lock);
    for (const ClientId& client : counts.clients()) {
        entries.push_back({idOf('c', client.bytes()), locks.swatchOf(client),
                           page.holders().knowledge().aliases.fullDisplay(client),
                           tr("Client, holds %Ln lock(s)", nullptr, counts.of(client)), QString(), true, false,
                           [shown = QPointer<SessionPage>(&page), client] {
                               if (shown)
                                   shown->locksPage().showOnly(QString::fromLatin1(client.bytes()));
                           }});
    }
}

void PaletteController::addLocks(std::vector<PaletteEntry>& entries) const {
    SessionPage& page = m_tabs.currentPage();
    const LockTableModel& locks = page.tools().locks();
    entries.reserve(entries.size() + static_cast<size_t>(locks.rowCount()));
    for (int row = 0; row < locks.rowCount(); ++row) {
        const monitor::LockSnapshot& lock = locks.rowAt(row).lock;
        const QString state = stateText(lockState(lock, locks.ownership(lock.name)));
        const bool isRenamed = locks.names().renames(lock.name);
        const QString detail =
            isRenamed ? tr("Lock: %1; key %2").arg(state, plainName(lock.name)) : tr("Lock: %1").arg(state);
        entries.push_back({idOf('l', lock.name.bytes()), QIcon(), locks.names().shown(lock.name), detail, QString(),
                           true, false, [shown = QPointer<SessionPage>(&page), name = lock.name] {
                               if (shown)
                                   goToLock(*shown, name);
                           }});
    }
}

}  // namespace lockkeeper::ui

#include "moc_palettecontroller.cpp"
