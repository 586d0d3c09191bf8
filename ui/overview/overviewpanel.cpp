// SPDX-License-Identifier: Apache-2.0
#include "ui/overview/overviewpanel.h"

#include "ui/look/retranslating.h"
#include "ui/overview/sparkline.h"
#include "ui/overview/toplist.h"
#include "ui/table/locktablemodel.h"
#include "ui/words/timetext.h"

#include <QHBoxLayout>
#include <QLocale>

#include <algorithm>
#include <cmath>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds paintInterval = 1s;
constexpr int tilesInALine = 3;

size_t at(Figure figure) {
    return static_cast<size_t>(figure);
}

bool isHandOver(monitor::EventType type) {
    return type == monitor::EventType::Acquired || type == monitor::EventType::HandedOver;
}

// Small rates with a digit behind the point.
QString rateNumber(double perSecond) {
    return perSecond < 10 && perSecond > 0 ? QLocale().toString(perSecond, 'f', 1) : numberText(std::llround(perSecond));
}

// The largest, with the names in order where they are equal.
template <typename Key>
std::vector<std::pair<Key, qint64>> largest(std::vector<std::pair<Key, qint64>> all, size_t count) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    std::partial_sort(all.begin(), end, all.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    all.erase(end, all.end());
    return all;
}

}  // namespace

OverviewPanel::OverviewPanel(const LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_locks(locks),
      m_time(time),
      m_ticker(clock, paintInterval),
      m_busiest(new TopList(QStringLiteral("busiestLocks"), this)),
      m_awaited(new TopList(QStringLiteral("awaitedLocks"), this)),
      m_clients(new TopList(QStringLiteral("topClients"), this)) {
    for (size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i] = new Sparkline(this);
        m_lines[i]->setObjectName(QStringLiteral("sparkline_%1").arg(i));
    }
    makeLayout();
    connect(&m_ticker, &Ticker::ticked, this, &OverviewPanel::refresh);
    for (const TopList* list : {m_busiest, m_awaited})
        connect(list, &TopList::chosen, this, [this](const QByteArray& name) { Q_EMIT lockChosen(LockName(name)); });
    connect(m_clients, &TopList::chosen, this,
            [this](const QByteArray& client) { Q_EMIT filterWanted(QStringLiteral("holder:") + QString::fromLatin1(client)); });
    keepTranslated(*this, [this] { retranslate(); });
}

void OverviewPanel::makeLayout() {
    auto* tiles = new QGridLayout;
    tiles->setSpacing(6);
    for (size_t i = 0; i < m_lines.size(); ++i)
        tiles->addWidget(m_lines[i], static_cast<int>(i) / tilesInALine, static_cast<int>(i) % tilesInALine);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(12);
    for (TopList* list : {m_busiest, m_awaited, m_clients})
        lists->addWidget(list, 1);
    m_layout = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_layout->setContentsMargins(6, 6, 6, 6);
    m_layout->setSpacing(12);
    m_layout->addLayout(tiles, 1);
    m_layout->addLayout(lists, 1);
}

void OverviewPanel::retranslate() {
    const std::array titles{tr("Held"), tr("Contended"), tr("Waiters"), tr("Hand-overs/s"), tr("Reads/s")};
    const std::array helps{tr("Locks that are held."),
                           tr("Locks that somebody waits for."),
                           tr("Clients that wait for a lock, as far as that is known."),
                           tr("How often a lock was taken, a second. Of locks that change faster than they are read: at least."),
                           tr("What watching costs the server: reads of locks a second.")};
    for (size_t i = 0; i < m_lines.size(); ++i)
        m_lines[i]->describe(titles[i], helps[i] + u'\n' + tr("The line shows the last five minutes; where it is interrupted, nothing was watched."));
    m_busiest->describe(tr("Most &hand-overs"), tr("No lock was taken in the last minutes."));
    m_awaited->describe(tr("Most &waited for"), tr("Nobody waits for a lock, as far as that is known."));
    m_clients->describe(tr("C&lients that hold most"), tr("No lock is held."));
    refresh();
}

// ---- what is counted ----

void OverviewPanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (batch.stats)
        m_reads = batch.stats->readsPerSecond;
    count(batch.events);
    const SteadyTime now = m_time.moment();
    if (m_time.isLive() && (!m_sampled || now - *m_sampled >= OverviewHistory::step))
        sample(now);
    refreshTicker();
}

// Of a busy lock the events are a part of its throughput, which is counted with the samples.
void OverviewPanel::count(const std::vector<monitor::LockEvent>& events) {
    for (const monitor::LockEvent& event : events) {
        if (!isHandOver(event.type))
            continue;
        const monitor::LockRow* row = m_locks.find(event.lock.name);
        if (row && row->throughput)
            continue;
        m_counted += 1;
        m_handOvers.add(m_time.moment(), event.lock.name, 1);
    }
}

void OverviewPanel::sample(SteadyTime now) {
    const Milliseconds past = m_sampled ? toMilliseconds(now - *m_sampled) : OverviewHistory::step;
    const double seconds = std::max(1.0, static_cast<double>(past.count()) / 1000);
    m_sampled = now;
    m_figures = {};
    double perSecond = m_counted / seconds;
    m_counted = 0;
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        const monitor::LockRow& lock = m_locks.rowAt(row);
        m_figures[at(Figure::Held)] += lock.lock.isHeld() ? 1 : 0;
        m_figures[at(Figure::Contended)] += isWaitedFor(lock.lock) ? 1 : 0;
        m_figures[at(Figure::Waiters)] += static_cast<double>(waitersAtLeast(lock.lock).value_or(0));
        if (!lock.throughput)
            continue;
        const double rate = lock.throughput->perSecond(lock.throughput->acquisitions);
        perSecond += rate;
        m_handOvers.add(now, lock.lock.name, rate * seconds);
    }
    m_figures[at(Figure::HandOvers)] = perSecond;
    m_figures[at(Figure::Reads)] = m_reads;
    m_history.note(now, m_figures);
}

void OverviewPanel::follow(const ConnectionStatus&) {
    if (!m_time.isLive())
        m_history.interrupt();
    refreshTicker();
    refresh();
}

void OverviewPanel::clear() {
    m_history.clear();
    m_handOvers.clear();
    m_figures = {};
    m_counted = 0;
    m_reads = 0;
    m_sampled.reset();
    showAll();
}

// ---- what is shown ----

void OverviewPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshTicker();
    refresh();
}

void OverviewPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    refreshTicker();
}

// High and narrow at the side of the window: the lists below the figures.
void OverviewPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_layout->setDirection(height() > width() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void OverviewPanel::refreshTicker() {
    m_ticker.set(isVisible() && m_time.isLive() ? Ticker::State::Running : Ticker::State::Idle);
}

void OverviewPanel::refresh() {
    const SteadyTime now = m_time.moment();
    if (isVisible() && m_time.isLive() && (!m_sampled || now - *m_sampled >= OverviewHistory::step))
        sample(now);
    showAll();
}

void OverviewPanel::showAll() {
    if (!isVisible() || window()->isMinimized())
        return;
    const SteadyTime now = m_time.moment();
    showFigures(now);
    showLocks(now);
    showClients();
}

void OverviewPanel::showFigures(SteadyTime now) {
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const auto figure = static_cast<Figure>(i);
        const bool isRate = figure == Figure::HandOvers || figure == Figure::Reads;
        const QString value = !m_sampled ? QStringLiteral("–") : isRate ? rateNumber(m_figures[i]) : numberText(std::llround(m_figures[i]));
        m_lines[i]->show(value, m_history.series(figure, now), OverviewHistory::steps);
    }
}

void OverviewPanel::showLocks(SteadyTime now) {
    std::vector<TopList::Row> rows;
    for (const HandOverCounts::Counted& one : m_handOvers.top(now, mostListed))
        rows.push_back({one.lock.bytes(), plainName(one.lock), numberText(std::llround(one.handOvers)), QIcon(), plainName(one.lock)});
    m_busiest->show(rows);
    std::vector<std::pair<LockName, qint64>> awaited;
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        const monitor::LockSnapshot& lock = m_locks.rowAt(row).lock;
        if (const qint64 waiters = waitersAtLeast(lock).value_or(0); waiters > 0)
            awaited.emplace_back(lock.name, waiters);
    }
    rows.clear();
    for (const auto& [name, waiters] : largest(std::move(awaited), mostListed))
        rows.push_back({name.bytes(), plainName(name), numberText(waiters), QIcon(), plainName(name)});
    m_awaited->show(rows);
}

void OverviewPanel::showClients() {
    QHash<QByteArray, qint64> held;
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        QSet<QByteArray> clients;
        for (const monitor::Holder& holder : m_locks.rowAt(row).lock.holders)
            clients.insert(holder.id.client().bytes());
        for (const QByteArray& client : std::as_const(clients))
            ++held[client];
    }
    std::vector<std::pair<QByteArray, qint64>> all;
    for (auto one = held.cbegin(); one != held.cend(); ++one)
        all.emplace_back(one.key(), one.value());
    std::vector<TopList::Row> rows;
    for (const auto& [client, locks] : largest(std::move(all), mostListed)) {
        const QString full = m_locks.aliases().fullDisplay(ClientId(client));
        const QString alias = m_locks.aliases().of(ClientId(client));
        rows.push_back({client, alias.isEmpty() ? full : alias, numberText(locks), m_locks.swatchOf(ClientId(client)), full});
    }
    m_clients->show(rows);
}

}  // namespace lockkeeper::ui

#include "moc_overviewpanel.cpp"
