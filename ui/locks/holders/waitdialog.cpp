// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/holders/waitdialog.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/locks/holders/treeplace.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds waitsRefreshInterval = 500ms;
constexpr size_t deadlocksShown = 50;
constexpr size_t linksShown = 100;  // of one deadlock
constexpr size_t edgesShown = 2000;
constexpr qsizetype locksNamed = 3;
constexpr QSize firstWaitDialogSize(940, 520);
constexpr qsizetype longestWaitTip = 400;  // characters
constexpr int waitedLockRole = Qt::UserRole;
constexpr int fullTextRole = Qt::UserRole + 1;  // of a line's cell: its tool tip as plain text
constexpr int keyRole = Qt::UserRole + 2;       // of the first column: identifies a group or line

enum Column { Waiter, Lock, HolderColumn, ColumnCount };

QString moreText(size_t more) {
    return WaitDialog::tr("and %Ln more", nullptr, static_cast<int>(more));
}

bool hasWaiters(const monitor::LockSnapshot& lock) {
    return lock.isHeld() && (!lock.fairQueue.isEmpty() || lock.waiters.value_or(0) > 0);
}

// No id or name as it is shown contains a line feed. Names too long to be shown differ by their hash.
QString edgeKey(const monitor::WaitEdge& edge) {
    return QStringList{edge.waiter.display(), plainName(edge.lock), QString::number(qHash(edge.lock)),
                       edge.holder.display()}
        .join(u'\n');
}

void setFullText(QTreeWidgetItem& item, Column column, const QString& text) {
    item.setData(column, fullTextRole, text);
    item.setToolTip(column, helpTip(shortened(text, longestWaitTip)));
}

}  // namespace

WaitDialog::WaitDialog(const LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent)
    : FittedDialog(parent),
      m_locks(locks),
      m_time(time),
      m_clock(clock),
      m_summary(plainLabel(this)),
      m_filter(new QLineEdit(this)),
      m_tree(new QTreeWidget(this)),
      m_limits(plainLabel(this)) {
    makeLayout();
    resize(firstWaitDialogSize);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_locks, signal, this, &WaitDialog::scheduleRefresh);
    connect(&m_locks, &QAbstractItemModel::dataChanged, this, &WaitDialog::scheduleRefresh);
    connect(&m_locks, &QAbstractItemModel::modelReset, this, [this] {
        m_evidence.forget();
        scheduleRefresh();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &WaitDialog::applyFilter);
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (item->data(Lock, waitedLockRole).isValid())
            Q_EMIT lockChosen(item->data(Lock, waitedLockRole).value<LockName>());
    });
    keepTranslated(*this, [this] { retranslate(); });
    refresh();
}

void WaitDialog::retranslate() {
    setWindowTitle(tr("Who waits for whom"));
    m_filter->setPlaceholderText(tr("Filter by client, address, name or lock"));
    m_filter->setAccessibleName(tr("Filter who waits by client, address, name or lock"));
    m_tree->setAccessibleName(tr("Who waits for whom"));
    m_tree->setHeaderLabels({tr("Waiter"), tr("Waits for the lock"), tr("Held by")});
    widenColumns();
    showGraph();
    showSentences();
}

// Makes the columns wide enough for their usual texts, and at least for their titles.
void WaitDialog::widenColumns() {
    for (const Column column : {Waiter, Lock})
        widenColumn(*m_tree, column, m_tree->headerItem()->text(column));
    widenColumn(*m_tree, Waiter, QStringLiteral("8f14e45f-ceea-467a-9575-2b1c8f14e45f:1024"),
                2 * m_tree->indentation());
    widenColumn(*m_tree, Lock, QStringLiteral("orders:{customer-12345}"));
}

WaitDialog::~WaitDialog() {
    m_clock.cancel(m_refreshTimer);
}

void WaitDialog::makeLayout() {
    m_summary->setObjectName(QStringLiteral("waitSummary"));
    QFont bold = m_summary->font();
    bold.setBold(true);
    m_summary->setFont(bold);
    m_filter->setObjectName(QStringLiteral("waitFilter"));
    m_filter->setClearButtonEnabled(true);
    m_tree->setObjectName(QStringLiteral("waitTree"));
    m_tree->setColumnCount(ColumnCount);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->header()->setStretchLastSection(true);
    for (const Column column : {Waiter, Lock})
        m_tree->setColumnWidth(column, 0);
    m_limits->setObjectName(QStringLiteral("waitLimits"));
    m_limits->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &WaitDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_summary);
    layout->addWidget(m_filter);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_limits);
    layout->addWidget(buttons);
    m_tree->setFocus();
}

void WaitDialog::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    showGraph();
}

void WaitDialog::scheduleRefresh() {
    if (m_refreshTimer != Clock::TimerId::None)
        return;
    m_refreshTimer = m_clock.schedule(m_clock.now() + waitsRefreshInterval, [this] {
        m_refreshTimer = Clock::TimerId::None;
        refresh();
    });
}

void WaitDialog::refresh() {
    // Only few of many locks have waiters, so only these are put in order.
    std::vector<const monitor::LockSnapshot*> locks;
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        if (hasWaiters(m_locks.rowAt(row).lock))
            locks.push_back(&m_locks.rowAt(row).lock);
    }
    std::ranges::sort(locks, {}, [](const monitor::LockSnapshot* lock) -> const LockName& { return lock->name; });
    monitor::WaitGraph graph = monitor::waitGraphOf(locks);
    std::vector<monitor::CycleReads> reads = m_evidence.follow(graph, locks);
    QHash<LockName, WallTime> old = oldLocks(locks);
    const bool changed = graph != m_graph || reads != m_reads || old != m_old;
    m_old = std::move(old);
    m_graph = std::move(graph);
    m_reads = std::move(reads);
    if (changed)
        showGraph();
    showSentences();
}

QHash<LockName, WallTime> WaitDialog::oldLocks(std::span<const monitor::LockSnapshot* const> locks) const {
    QHash<LockName, WallTime> old;
    for (const monitor::LockSnapshot* lock : locks) {
        const ViewTime& time = m_time.of(*lock);
        if (m_time.isLive() && !time.isLive() && !lock->fairQueue.isEmpty())
            old.insert(lock->name, time.wallMoment());
    }
    return old;
}

void WaitDialog::showGraph() {
    const TreePlace place(*m_tree, keyRole);
    m_tree->clear();
    addDeadlocks();
    addWaiters();
    applyFilter();
    place.restore(*m_tree);
}

void WaitDialog::showSentences() {
    const QString old = m_old.isEmpty() ? QString()
                                        : tr("Old: %Ln lock(s), whose node cannot be reached.", nullptr,
                                             static_cast<int>(m_old.size()));
    m_summary->setText(sentencesText({m_time.isLive() ? QString() : tr("Old: as last seen."), summary(), old}));
    m_limits->setText(limits());
}

void WaitDialog::addDeadlocks() {
    const size_t shown = std::min(m_graph.cycles.size(), deadlocksShown);
    for (size_t i = 0; i < shown; ++i) {
        const std::vector<monitor::WaitEdge>& cycle = m_graph.cycles[i];
        QTreeWidgetItem* group = addGroup(cycleText(i), QStringLiteral("deadlock\n") + edgeKey(cycle.front()));
        group->setIcon(Waiter, m_reads[i].isProven ? icon(QStringLiteral("error"), Tone::Danger)
                                                   : icon(QStringLiteral("warning"), Tone::Warning));
        const size_t links = std::min(cycle.size(), linksShown);
        addEdges(*group, std::span(cycle).first(links));
        if (links < cycle.size())
            new QTreeWidgetItem(group, {moreText(cycle.size() - links)});
    }
}

QString WaitDialog::cycleText(size_t index) const {
    const int size = static_cast<int>(m_graph.cycles[index].size());
    const QString number = numberText(static_cast<qint64>(index) + 1);
    const monitor::CycleReads& reads = m_reads[index];
    if (reads.isProven)
        return size == 1 ? tr("Deadlock %1: one that waits for itself").arg(number)
                         : tr("Deadlock %1: %Ln that wait for each other, in a circle", nullptr, size).arg(number);
    const QString earliest = preciseClockText(reads.earliest, m_time.wallNow());
    const QString latest = preciseClockText(reads.latest, m_time.wallNow());
    return size == 1 ? tr("Suspected deadlock %1 (read between %2 and %3): one that waits for itself")
                           .arg(number, earliest, latest)
                     : tr("Suspected deadlock %1 (read between %2 and %3): %Ln that wait for each other, in a circle",
                          nullptr, size)
                           .arg(number, earliest, latest);
}

void WaitDialog::addWaiters() {
    const std::span<const monitor::WaitEdge> shown =
        std::span(m_graph.edges).first(std::min(m_graph.edges.size(), edgesShown));
    QMap<QString, std::vector<monitor::WaitEdge>> edgesOf;  // by what the client is shown as
    for (const monitor::WaitEdge& edge : shown)
        edgesOf[clientText(edge.waiter.client())].push_back(edge);
    for (auto client = edgesOf.cbegin(); client != edgesOf.cend(); ++client)
        addEdges(*addGroup(client.key(), QString::fromLatin1(client->front().waiter.client().bytes())), *client);
    if (shown.size() < m_graph.edges.size())
        addGroup(moreText(m_graph.edges.size() - shown.size()), QStringLiteral("more"));
}

QTreeWidgetItem* WaitDialog::addGroup(const QString& text, const QString& key) {
    auto* group = new QTreeWidgetItem(m_tree, {text});
    group->setData(0, keyRole, key);
    group->setFirstColumnSpanned(true);
    return group;
}

void WaitDialog::addEdges(QTreeWidgetItem& group, std::span<const monitor::WaitEdge> edges) const {
    for (const monitor::WaitEdge& edge : edges)
        addEdge(group, edge);
}

void WaitDialog::addEdge(QTreeWidgetItem& group, const monitor::WaitEdge& edge) const {
    auto* item = new QTreeWidgetItem(&group);
    item->setData(0, keyRole, group.data(0, keyRole).toString() + u'\n' + edgeKey(edge));
    const QString waiter = m_knowledge.aliases.display(edge.waiter);
    item->setText(Waiter, waiter);
    item->setIcon(Waiter, m_locks.swatchOf(edge.waiter.client()));
    setFullText(*item, Waiter, m_knowledge.aliases.fullDisplay(edge.waiter));
    item->setText(Lock, m_locks.names().shown(edge.lock));
    setFullText(*item, Lock, m_locks.names().withKey(edge.lock));
    item->setData(Lock, waitedLockRole, QVariant::fromValue(edge.lock));
    const QString holder = m_knowledge.aliases.display(edge.holder);
    item->setText(HolderColumn, holder);
    item->setIcon(HolderColumn, m_locks.swatchOf(edge.holder.client()));
    setFullText(*item, HolderColumn, m_knowledge.aliases.fullDisplay(edge.holder));
    if (const auto old = m_old.constFind(edge.lock); old != m_old.cend())
        markOld(*item, *old);
}

void WaitDialog::markOld(QTreeWidgetItem& item, WallTime lastSeen) const {
    const QString at = clockText(lastSeen, m_time.wallNow());
    item.setText(Lock, tr("%1 (old: %2)", "a lock, and when it was last seen").arg(item.text(Lock), at));
    const QString old = tr("Old: as last seen at %1; the node of this lock cannot be reached").arg(at);
    QFont font = m_tree->font();
    font.setItalic(true);
    for (const Column column : {Waiter, Lock, HolderColumn}) {
        item.setFont(column, font);
        const QString full = shortened(item.data(column, fullTextRole).toString(), longestWaitTip);
        item.setToolTip(column, helpTip(full + u'\n' + old));
    }
}

// A group with one matching line is shown whole, because half a deadlock has no meaning.
void WaitDialog::applyFilter() {
    const WordFilter filter(m_filter->text());
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem& group = *m_tree->topLevelItem(i);
        bool fits = filter.isEmpty();
        for (int j = 0; j < group.childCount() && !fits; ++j) {
            const QTreeWidgetItem& line = *group.child(j);
            QStringList texts{group.text(Waiter)};
            for (const Column column : {Waiter, Lock, HolderColumn})
                texts << line.data(column, fullTextRole).toString();
            fits = filter.accepts(texts.join(u'\n'));
        }
        group.setHidden(!fits);
    }
}

QString WaitDialog::clientText(const ClientId& client) const {
    const QString uuid = QString::fromLatin1(client.bytes());
    const QString alias = m_knowledge.aliases.of(client);
    const QString address = addressText(m_knowledge.identities.value(client));
    const QString known = listText({alias, address});
    return known.isEmpty() ? tr("Client %1").arg(uuid) : tr("Client %1 (%2)").arg(known, uuid);
}

QString WaitDialog::summary() const {
    if (m_graph.edges.empty())
        return tr("No client is known to wait for a holder.");
    const int waits = static_cast<int>(static_cast<qint64>(m_graph.edges.size()) + m_graph.edgesLeftOut);
    if (m_graph.cycles.empty())
        return tr("%Ln known wait(s), no deadlock among them.", nullptr, waits);
    const int proven = static_cast<int>(provenDeadlocks());
    const int suspected = static_cast<int>(m_reads.size()) - proven;
    return sentencesText({proven > 0 ? tr("%Ln deadlock(s).", nullptr, proven) : QString(),
                          suspected > 0 ? tr("%Ln suspected deadlock(s).", nullptr, suspected) : QString(),
                          tr("%Ln known wait(s).", nullptr, waits)});
}

qint64 WaitDialog::provenDeadlocks() const {
    return std::ranges::count_if(m_reads, &monitor::CycleReads::isProven);
}

QString WaitDialog::limits() const {
    QStringList sentences{
        tr("Only fair locks name their waiters, in their queues. Who waits for any other lock cannot be "
           "known from the server, so a deadlock among those is not seen here."),
        tr("Where changes are noticed by keyspace events or polling, queues are seen late.")};
    QStringList names;
    for (const LockName& name : m_graph.unnamedWaiters.first(std::min(m_graph.unnamedWaiters.size(), locksNamed)))
        names << m_locks.names().shown(name, 32);
    if (!names.isEmpty()) {
        if (m_graph.unnamedWaiters.size() > locksNamed)
            names << QStringLiteral("…");
        sentences << tr("Held locks with waiters that nobody can name: %1 (%2).")
                         .arg(numberText(m_graph.unnamedWaiters.size()), listText(names));
    }
    const qint64 proven = provenDeadlocks();
    if (proven < static_cast<qint64>(m_reads.size()))
        sentences << tr(
            "Suspected: these waits were seen at different moments, and need not have been there together. "
            "The next read of each of their locks decides.");
    if (proven > 0)
        sentences << tr("A deadlock ends by itself only when one of them gives up, or a lease expires.");
    if (m_graph.edgesLeftOut > 0)
        sentences << tr("%Ln more wait(s) were left out.", nullptr, static_cast<int>(m_graph.edgesLeftOut));
    return sentencesText(sentences);
}

}  // namespace lockkeeper::ui

#include "moc_waitdialog.cpp"
