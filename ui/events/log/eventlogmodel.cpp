// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventlogmodel.h"

#include "monitor/model/nameweight.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/events/log/auditedevents.h"
#include "ui/events/log/eventgroup.h"
#include "ui/help/helptexts.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/words/eventtext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QGuiApplication>

#include <algorithm>
#include <iterator>
#include <utility>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

// A gap of length zero marks where watching ended and began again.
bool isShown(const monitor::LockEvent& event) {
    const bool isMark = event.type == monitor::EventType::NotWatched && event.lock.name.isEmpty() &&
                        !event.notWritten && event.gap < Milliseconds(1);
    return event.type != monitor::EventType::Swept && !isMark;
}

// Each weight has a shape and a color, so that each of the two is enough to recognize it.
QVariant weightIcon(EventWeight weight) {
    switch (weight) {
        case EventWeight::Usual:
            return {};
        case EventWeight::Good:
            return icon(QStringLiteral("ok"), Tone::Good);
        case EventWeight::Notable:
            return icon(QStringLiteral("info"), Tone::Info);
        case EventWeight::Warning:
            return icon(QStringLiteral("warning"), Tone::Warning);
        case EventWeight::Grave:
            return icon(QStringLiteral("error"), Tone::Danger);
    }
    return {};
}

struct Fitting {
    size_t count = 0;
    size_t weight = 0;
};

// The first of these events, as many as the capacity allows. An event with a very long name counts as several.
template <typename Events>
Fitting howManyFit(const Events& events, size_t capacity) {
    Fitting fitting;
    for (const monitor::LockEvent& event : events) {
        const auto weight = static_cast<size_t>(monitor::weightOf(event.lock.name));
        if (fitting.weight + weight > capacity)
            break;
        fitting.weight += weight;
        ++fitting.count;
    }
    return fitting;
}

constexpr auto changesSpan = 24h;

auto isEventOf(const LockName& name, WallTime at) {
    return [&name, at](const monitor::LockEvent& event) { return event.at == at && event.lock.name == name; };
}

}  // namespace

EventLogModel::EventLogModel(const ViewTime& time, size_t capacity, QObject* parent)
    : QAbstractTableModel(parent), m_time(time), m_capacity(capacity) {}

void EventLogModel::append(const std::vector<monitor::LockEvent>& events) {
    std::vector<monitor::LockEvent> newestFirst;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        if (isShown(*event))
            newestFirst.push_back(explained(*event));
    }
    if (newestFirst.empty())
        return;
    if (m_flow == Flow::Paused)
        holdBack(std::move(newestFirst));
    else
        show(std::move(newestFirst));
}

void EventLogModel::setFlow(Flow flow) {
    if (flow == m_flow)
        return;
    m_flow = flow;
    m_heldBackCount = 0;
    std::deque<monitor::LockEvent> held = std::exchange(m_heldBack, {});
    if (!held.empty())
        show(std::vector<monitor::LockEvent>(std::make_move_iterator(held.begin()),
                                             std::make_move_iterator(held.end())));
    Q_EMIT heldBackChanged();
}

void EventLogModel::setAliases(const HolderAliases& aliases) {
    if (aliases == m_aliases)
        return;
    m_aliases = aliases;
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, HolderColumn), index(rowCount() - 1, HolderColumn));
}

void EventLogModel::setNames(const ProgramNames& names) {
    if (names == m_names)
        return;
    m_names = names;
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, Lock), index(rowCount() - 1, Lock));
}

void EventLogModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_events.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void EventLogModel::clear() {
    beginResetModel();
    m_events.clear();
    endResetModel();
    m_heldBack.clear();
    m_heldBackCount = 0;
    m_cleared = m_time.wallNow();
    Q_EMIT heldBackChanged();
}

void EventLogModel::startOver() {
    clear();
    m_changes.clear();
    m_cleared = {};
}

// ---- the audit ----

void EventLogModel::addChanges(const std::vector<AuditEntry>& entries) {
    if (m_flow == Flow::Paused)
        return;
    const WallTime since = std::max(m_cleared, m_time.wallNow() - changesSpan);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        if (!eventTypeOf(*entry) || m_changes.contains(entry->record.id) || entry->outcome->at < since)
            continue;
        m_changes.insert(entry->record.id);
        const auto change = std::make_shared<const AuditEntry>(*entry);
        if (!nameOperator(change))
            insertChange(change);
        explainHandOver(change);
    }
}

// Names only the nearest force: each of several forces of one lock has an entry of its own. The events of one force,
// one for each holder, have the same time.
bool EventLogModel::nameOperator(const std::shared_ptr<const AuditEntry>& entry) {
    if (eventTypeOf(*entry) != monitor::EventType::Forced)
        return false;
    std::optional<WallTime> nearest;
    const auto distance = [&entry](WallTime at) { return std::chrono::abs(at - entry->outcome->at); };
    for (const LoggedEvent& event : m_events) {
        if (!event.doneBy && isForceOf(event, *entry) && (!nearest || distance(event.at) < distance(*nearest)))
            nearest = event.at;
    }
    if (!nearest)
        return false;
    for (size_t row = 0; row < m_events.size(); ++row) {
        LoggedEvent& event = m_events[row];
        if (event.doneBy || event.at != *nearest || !isForceOf(event, *entry))
            continue;
        event.doneBy = entry;
        Q_EMIT dataChanged(index(static_cast<int>(row), Detail), index(static_cast<int>(row), Detail));
    }
    return true;
}

// An operator who reads of the force need not suspect the hand-over that follows from it.
void EventLogModel::explainHandOver(const std::shared_ptr<const AuditEntry>& entry) {
    for (size_t row = 0; row < m_events.size(); ++row) {
        LoggedEvent& event = m_events[row];
        if (!event.suspect || !isHandOverOf(event, *entry))
            continue;
        event.suspect = false;
        Q_EMIT dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
        Q_EMIT handOverExplained(event);
    }
}

// The audit may have been read before the hand-over is seen.
monitor::LockEvent EventLogModel::explained(monitor::LockEvent event) {
    const auto isItsForce = [&event](const LoggedEvent& earlier) {
        return earlier.doneBy && isHandOverOf(event, *earlier.doneBy);
    };
    if (event.suspect && std::ranges::any_of(m_events, isItsForce)) {
        event.suspect = false;
        // The timeline gets this event later in this turn of the loop.
        QMetaObject::invokeMethod(
            this, [this, event] { Q_EMIT handOverExplained(event); }, Qt::QueuedConnection);
    }
    return event;
}

void EventLogModel::insertChange(const std::shared_ptr<const AuditEntry>& entry) {
    const monitor::LockEvent event = eventOfChange(*entry);
    const auto place =
        std::ranges::find_if(m_events, [&event](const LoggedEvent& other) { return other.at <= event.at; });
    const auto row = static_cast<int>(place - m_events.begin());
    if (m_events.size() >= m_capacity) {
        if (place == m_events.end())
            return;
        beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
        m_events.pop_back();
        endRemoveRows();
    }
    beginInsertRows({}, row, row);
    m_events.insert(m_events.begin() + row, event)->doneBy = entry;
    endInsertRows();
    Q_EMIT changeAdded(event);
}

void EventLogModel::show(std::vector<monitor::LockEvent> newestFirst) {
    newestFirst.resize(howManyFit(newestFirst, m_capacity).count);
    // Removes first, so that there are never more rows than the capacity.
    const size_t kept = howManyFit(m_events, m_capacity - howManyFit(newestFirst, m_capacity).weight).count;
    if (kept < m_events.size()) {
        beginRemoveRows({}, static_cast<int>(kept), rowCount() - 1);
        m_events.resize(kept);
        endRemoveRows();
    }
    beginInsertRows({}, 0, static_cast<int>(newestFirst.size()) - 1);
    m_events.insert(m_events.begin(), std::make_move_iterator(newestFirst.begin()),
                    std::make_move_iterator(newestFirst.end()));
    endInsertRows();
}

void EventLogModel::holdBack(std::vector<monitor::LockEvent> newestFirst) {
    m_heldBackCount += newestFirst.size();
    m_heldBack.insert(m_heldBack.begin(), std::make_move_iterator(newestFirst.begin()),
                      std::make_move_iterator(newestFirst.end()));
    m_heldBack.resize(howManyFit(m_heldBack, m_capacity).count);
    Q_EMIT heldBackChanged();
}

std::vector<LoggedEvent> EventLogModel::eventsOf(const LockName& name, size_t most) const {
    std::vector<LoggedEvent> found;
    for (auto event = m_events.begin(); event != m_events.end() && found.size() < most; ++event) {
        if (event->lock.name == name)
            found.push_back(*event);
    }
    std::ranges::reverse(found);
    return found;
}

std::optional<int> EventLogModel::find(const LockName& name, WallTime at) const {
    const auto found = std::ranges::find_if(m_events, isEventOf(name, at));
    return found == m_events.end() ? std::nullopt : std::optional(static_cast<int>(found - m_events.begin()));
}

QString EventLogModel::whyNotFound(const LockName& name, WallTime at) const {
    const QString when = preciseClockText(at, m_time.wallNow());
    const QString lock = m_names.shown(name, shortName);
    if (std::ranges::any_of(m_heldBack, isEventOf(name, at)))
        return tr("The event of %1 at %2 is held back while the log is paused. Resume shows it.").arg(lock, when);
    return tr("The log has no event of %1 at %2: it keeps the latest %Ln, and none from before it was cleared.",
              nullptr, static_cast<int>(m_capacity))
        .arg(lock, when);
}

int EventLogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventLogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant EventLogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const LoggedEvent& event = m_events[static_cast<size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return display(event, column);
        case Qt::ToolTipRole:
            return helpTip(toolTip(event, column));
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column) + QLatin1Char('\n') + eventHelp(event.type));
        case Qt::DecorationRole:
            return decoration(event, column);
        case FilterRole:
            return QStringList{display(event, Event), m_names.withKey(event.lock.name), toolTip(event, HolderColumn),
                               display(event, Detail)}
                .join(QLatin1Char('\n'));
        default:
            return {};
    }
}

QVariant EventLogModel::decoration(const LoggedEvent& event, Column column) const {
    if (column == Event)
        return weightIcon(weightOf(event));
    if (column != HolderColumn || !m_colors)
        return {};
    const monitor::Holder* holder = event.holder                   ? &*event.holder
                                    : event.lock.holders.isEmpty() ? nullptr
                                                                   : &event.lock.holders.front();
    return holder ? QVariant(clientIcon(m_colors->of(holder->id.client()))) : QVariant();
}

QString EventLogModel::display(const LoggedEvent& event, Column column) const {
    switch (column) {
        case Time:
            return preciseClockText(event.at, m_time.wallNow());
        case Event:
            return eventText(event.type);
        case Lock:
            return m_names.shown(event.lock.name);
        case HolderColumn:
            return event.holder ? m_aliases.display(event.holder->id) : holdersText(event.lock, m_aliases);
        case Detail:
            return detailOf(event);
        case ColumnCount:
            break;
    }
    return {};
}

QString EventLogModel::toolTip(const LoggedEvent& event, Column column) const {
    if (column == HolderColumn && event.holder)
        return m_aliases.fullDisplay(event.holder->id);
    if (column == Event)
        return eventHelp(event.type);
    return shortened(display(event, column), 400);
}

QVariant EventLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    switch (role) {
        case Qt::DisplayRole:
            return title(column);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

QString EventLogModel::title(Column column) {
    switch (column) {
        case Time:
            return tr("Time");
        case Event:
            return tr("Event");
        case Lock:
            return tr("Lock");
        case HolderColumn:
            return tr("Holder");
        case Detail:
            return tr("Details");
        case ColumnCount:
            break;
    }
    return {};
}

QString columnHelp(EventLogModel::Column column) {
    switch (column) {
        case EventLogModel::Time:
            return EventLogModel::tr("When it was seen, by this computer's clock. The newest event stands on top.");
        case EventLogModel::Event:
            return EventLogModel::tr(
                "What happened, as far as the change between two reads shows it. What comes and goes between two "
                "reads is not seen.");
        case EventLogModel::Lock:
            return EventLogModel::tr("The lock's key in Redis. Choosing the event shows the lock in the table.");
        case EventLogModel::HolderColumn:
            return EventLogModel::tr(
                "Who acquired it, released it, lost it or was renewed: UUID:THREAD, or the name you gave it.");
        case EventLogModel::Detail:
            return EventLogModel::tr("The reentry count and the lease after the event, or what is not known about it.");
        case EventLogModel::ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_eventlogmodel.cpp"
