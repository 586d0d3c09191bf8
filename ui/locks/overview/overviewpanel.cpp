// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/overview/overviewpanel.h"

#include "ui/base/retranslating.h"
#include "ui/base/sparkline.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/locks/overview/toplist.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

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

// Small rates have one decimal.
QString rateNumber(double perSecond) {
    return perSecond < 10 && perSecond > 0 ? QLocale().toString(perSecond, 'f', 1)
                                           : numberText(std::llround(perSecond));
}

}  // namespace

OverviewPanel::OverviewPanel(const LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_locks(locks),
      m_time(time),
      m_counting(clock,
                 [this](const OverviewCount& counted) {
                     finish(counted);
                     showAll();
                 }),
      m_ticker(clock, paintInterval),
      m_busiest(new TopList(QStringLiteral("busiestLocks"), this)),
      m_awaited(new TopList(QStringLiteral("awaitedLocks"), this)),
      m_waits(new TopList(QStringLiteral("longestWaits"), this)),
      m_clients(new TopList(QStringLiteral("topClients"), this)) {
    for (size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i] = new Sparkline(this);
        m_lines[i]->setObjectName(QStringLiteral("sparkline_%1").arg(i));
    }
    makeLayout();
    connect(&m_ticker, &Ticker::ticked, this, &OverviewPanel::refresh);
    for (const TopList* list : {m_busiest, m_awaited, m_waits})
        connect(list, &TopList::chosen, this, [this](const QByteArray& name) { Q_EMIT lockChosen(LockName(name)); });
    connect(m_clients, &TopList::chosen, this, [this](const QByteArray& client) {
        Q_EMIT filterWanted(QStringLiteral("holder:") + QString::fromLatin1(client));
    });
    keepTranslated(*this, [this] { retranslate(); });
}

void OverviewPanel::makeLayout() {
    auto* tiles = new QGridLayout;
    tiles->setSpacing(6);
    for (size_t i = 0; i < m_lines.size(); ++i)
        tiles->addWidget(m_lines[i], static_cast<int>(i) / tilesInALine, static_cast<int>(i) % tilesInALine);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(12);
    for (TopList* list : {m_busiest, m_awaited, m_waits, m_clients})
        lists->addWidget(list, 1);
    auto* content = new QWidget(this);
    m_layout = new QBoxLayout(QBoxLayout::LeftToRight, content);
    m_layout->setContentsMargins(6, 6, 6, 6);
    m_layout->setSpacing(12);
    m_layout->addLayout(tiles, 1);
    m_layout->addLayout(lists, 1);
    // In a small window with large letters the panel must not be wider than its part of the window.
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

void OverviewPanel::retranslate() {
    const std::array titles{tr("Held"), tr("Contended"), tr("Waiters"), tr("Hand-overs/s"), tr("Reads/s")};
    const std::array helps{
        tr("Locks that are held."), tr("Locks that somebody waits for."),
        tr("Clients that wait for a lock, as far as that is known."),
        tr("How often a lock was taken, a second. Of locks that change faster than they are read: at least."),
        tr("What watching costs the server: reads of locks a second.")};
    for (size_t i = 0; i < m_lines.size(); ++i)
        m_lines[i]->describe(
            titles[i], helps[i] + u'\n' +
                           tr("The line shows the last five minutes; where it is interrupted, nothing was watched."));
    m_busiest->describe(tr("Most &hand-overs"), tr("No lock was taken in the last minutes."));
    m_awaited->describe(tr("Most &waited for"), tr("Nobody waits for a lock, as far as that is known."));
    m_waits->describe(tr("Lon&gest waits"), tr("No wait was seen from its begin until the client had the lock."));
    m_clients->describe(tr("C&lients that hold most"), tr("No lock is held."));
    refresh();
}

// ---- what is counted ----

void OverviewPanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    if (batch.changesStats())
        m_reads = batch.stats.value_or(monitor::MonitorStats()).readsPerSecond;
    count(batch.events);
    if (batch.reset || !batch.changed.empty() || !batch.removed.empty())
        m_areListed = false;
    if (isSampleDue())
        begin();
    else if (!m_time.isLive())
        refresh();  // no timer runs that would refresh it
    refreshTicker();
}

// The events of a busy lock are a part of its throughput, which is counted with the samples.
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

bool OverviewPanel::isSampleDue() const {
    return m_time.isLive() && (!m_sampled || m_time.moment() - *m_sampled >= OverviewHistory::step);
}

void OverviewPanel::begin() {
    if (m_counting.isUnderWay())
        return;
    m_sampling = isSampleDue() ? std::optional(m_time.moment()) : std::nullopt;
    m_areListed = isVisible();
    OverviewCount count(m_locks, m_areListed ? OverviewCount::Lists::Wanted : OverviewCount::Lists::NotWanted);
    if (m_locks.rowCount() <= static_cast<int>(itemsInATurn))
        count.step(itemsInATurn);  // with more locks, this turn has enough to do with the batch
    if (count.isDone())
        finish(count);
    else
        m_counting.begin(std::move(count));
}

void OverviewPanel::finish(const OverviewCount& counted) {
    if (m_sampling)
        sample(counted);
    if (counted.hasLists()) {
        m_mostAwaited = counted.mostAwaited().entries();
        m_longestWaits = counted.longestWaits().entries();
        m_topClients = counted.topClients().entries();
    }
    if (isVisible() && !m_areListed && !m_time.isLive())
        begin();  // no timer runs that would begin it
}

void OverviewPanel::sample(const OverviewCount& counted) {
    const Milliseconds past = m_sampled ? toMilliseconds(*m_sampling - *m_sampled) : OverviewHistory::step;
    const double seconds = std::max(1.0, static_cast<double>(past.count()) / 1000);
    m_sampled = m_sampling;
    for (const OverviewCount::Busy& busy : counted.busy())
        m_handOvers.add(*m_sampled, busy.lock, busy.acquisitions * seconds);
    m_figures[at(Figure::Held)] = static_cast<double>(counted.held());
    m_figures[at(Figure::Contended)] = static_cast<double>(counted.contended());
    m_figures[at(Figure::Waiters)] = static_cast<double>(counted.waiters());
    m_figures[at(Figure::HandOvers)] = std::exchange(m_counted, 0) / seconds + counted.acquisitions();
    m_figures[at(Figure::Reads)] = m_reads;
    m_history.note(*m_sampled, m_figures);
}

void OverviewPanel::follow(const ConnectionStatus&) {
    if (!m_time.isLive()) {
        m_history.interrupt();
        m_sampling.reset();
    }
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
    m_counting.stop();
    m_mostAwaited.clear();
    m_longestWaits.clear();
    m_topClients.clear();
    m_areListed = false;
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
    m_areListed = false;
    refreshTicker();
}

void OverviewPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void OverviewPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

// The lists are below the figures in a high panel at the side of the window, and where there is no room beside them.
void OverviewPanel::arrange() {
    const QMargins margins = m_layout->contentsMargins();
    int beside = margins.left() + m_layout->spacing() + margins.right();
    for (int i = 0; i < m_layout->count(); ++i)
        beside += m_layout->itemAt(i)->minimumSize().width();
    const bool isNarrow = height() > width() || beside > width();
    m_layout->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void OverviewPanel::refreshTicker() {
    m_ticker.set(isVisible() && m_time.isLive() ? Ticker::State::Running : Ticker::State::Idle);
}

void OverviewPanel::refresh() {
    if (isVisible() && (isSampleDue() || !m_areListed))
        begin();
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
        const QString value = !m_sampled ? QStringLiteral("–")
                              : isRate   ? rateNumber(m_figures[i])
                                         : numberText(std::llround(m_figures[i]));
        m_lines[i]->show(value, m_history.series(figure, now), OverviewHistory::steps);
    }
}

void OverviewPanel::showLocks(SteadyTime now) {
    std::vector<TopList::Row> rows;
    const HandOverCounts::Counts busiest = m_handOvers.top(now, OverviewCount::mostListed);
    for (const auto& [name, handOvers] : busiest.entries())
        rows.push_back({name.bytes(), m_locks.names().shown(name), numberText(std::llround(handOvers)), QIcon(),
                        m_locks.names().withKey(name)});
    m_busiest->show(rows);
    rows.clear();
    for (const auto& [name, waiters] : m_mostAwaited)
        rows.push_back(
            {name.bytes(), m_locks.names().shown(name), numberText(waiters), QIcon(), m_locks.names().withKey(name)});
    m_awaited->show(rows);
    rows.clear();
    for (const auto& [name, wait] : m_longestWaits) {
        const monitor::LockRow* row = m_locks.find(name);
        const QString tip = row && row->waits->past ? waitTimesText(*row->waits->past) : QString();
        rows.push_back({name.bytes(), m_locks.names().shown(name), durationText(Milliseconds(wait)), QIcon(),
                        m_locks.names().withKey(name) + u'\n' + tip});
    }
    m_waits->show(rows);
}

void OverviewPanel::showClients() {
    std::vector<TopList::Row> rows;
    for (const auto& [client, locks] : m_topClients) {
        const QString full = m_locks.aliases().fullDisplay(ClientId(client));
        const QString alias = m_locks.aliases().of(ClientId(client));
        rows.push_back(
            {client, alias.isEmpty() ? full : alias, numberText(locks), m_locks.swatchOf(ClientId(client)), full});
    }
    m_clients->show(rows);
}

}  // namespace lockkeeper::ui

#include "moc_overviewpanel.cpp"
