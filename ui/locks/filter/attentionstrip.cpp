// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/attentionstrip.h"

#include "monitor/model/monitorbatch.h"
#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QHBoxLayout>
#include <QResizeEvent>
#include <QToolButton>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds countInterval = 500ms;

QString titleOf(Attention attention) {
    switch (attention) {
        case Attention::DoubleHolder:
            return AttentionStrip::tr("Two holders");
        case Attention::Deadlock:
            return AttentionStrip::tr("Deadlock");
        case Attention::ClientSilent:
            return AttentionStrip::tr("Clients without renewals");
        case Attention::NeverExpires:
            return AttentionStrip::tr("No expiry");
        case Attention::WatchdogStopped:
            return AttentionStrip::tr("Watchdog stopped");
        case Attention::LeaseRanOut:
            return AttentionStrip::tr("Lease ran out");
        case Attention::WaitersStuck:
            return AttentionStrip::tr("Waiters stuck");
        case Attention::OtherFault:
            return AttentionStrip::tr("Other faults");
        case Attention::Contended:
            return AttentionStrip::tr("Contended");
        case Attention::LongHeld:
            return AttentionStrip::tr("Held over 10 min");
    }
    return {};
}

QString helpOf(Attention attention) {
    switch (attention) {
        case Attention::DoubleHolder:
            return AttentionStrip::tr("Two clients may believe to hold them at once.");
        case Attention::Deadlock:
            return AttentionStrip::tr(
                "Their holders stand in each other's queues, in a circle: none of them is likely to go on.");
        case Attention::ClientSilent:
            return AttentionStrip::tr(
                "Clients that renew none of their locks any more: dead, paused or cut off, or their renewal is broken. The "
                "button shows one of them among the clients.");
        case Attention::NeverExpires:
            return AttentionStrip::tr("Held without a TTL: only an operator will ever free them.");
        case Attention::WatchdogStopped:
            return AttentionStrip::tr(
                "They were renewed before, and are not any more: the holder died, hangs or is cut off.");
        case Attention::LeaseRanOut:
            return AttentionStrip::tr("They expired without a release: their worker may still be at work.");
        case Attention::WaitersStuck:
            return AttentionStrip::tr("Clients wait that nothing will wake in time, or a queue that its head blocks.");
        case Attention::OtherFault:
            return AttentionStrip::tr(
                "A holder whose thread has ended, a reader's hold cut short or left over, a lock that looks forgotten or is entered ever more deeply, an "
                "acquire that was taken back.");
        case Attention::Contended:
            return AttentionStrip::tr("Somebody waits for them.");
        case Attention::LongHeld:
            return AttentionStrip::tr(
                "Held for more than ten minutes, as far as is known: a long job, or a lock that was forgotten.");
    }
    return {};
}

bool isOfClients(Attention attention) {
    return attention == Attention::ClientSilent;
}

bool isFault(Attention attention) {
    return attention != Attention::Contended && attention != Attention::LongHeld;
}

}  // namespace

QString filterFor(Attention attention) {
    switch (attention) {
        case Attention::DoubleHolder:
            return QStringLiteral("diagnosis:possible_double_holder");
        case Attention::Deadlock:
            return QStringLiteral("diagnosis:deadlock");
        case Attention::ClientSilent:
            return {};
        case Attention::NeverExpires:
            return QStringLiteral("diagnosis:never_expires");
        case Attention::WatchdogStopped:
            return QStringLiteral("diagnosis:watchdog_stopped");
        case Attention::LeaseRanOut:
            return QStringLiteral("diagnosis:lease_ran_out");
        case Attention::WaitersStuck:
            return QStringLiteral("diagnosis:waiters_asleep,deaf_waiters,fair_queue,fair_waiter,head_without_deadline");
        case Attention::OtherFault:
            return QStringLiteral(
                "diagnosis:holder_thread_ended,never_renewed,reader_cut_short,zombie_reader,acquire_taken_back,suspected_orphan,reentry_leak,"
                "lease_cut,two_names,unlock_from_other_thread,channel_left_over");
        case Attention::Contended:
            return QStringLiteral("waiters:>0");
        case Attention::LongHeld:
            return QStringLiteral("held:>10m");
    }
    return {};
}

AttentionStrip::AttentionStrip(const LockTableModel& locks, Clock& clock, QWidget* parent)
    : QWidget(parent), m_locks(locks), m_clock(clock) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 0);
    layout->setSpacing(2);
    // fit() finds what there is room for.
    layout->setSizeConstraint(QLayout::SetNoConstraint);
    m_height = new QSpacerItem(0, 0, QSizePolicy::Fixed, QSizePolicy::Minimum);
    layout->addItem(m_height);
    for (const Attention attention :
         {Attention::DoubleHolder, Attention::Deadlock, Attention::ClientSilent, Attention::NeverExpires,
          Attention::WatchdogStopped, Attention::LeaseRanOut, Attention::WaitersStuck, Attention::OtherFault,
          Attention::Contended, Attention::LongHeld})
        addItem(attention);
    layout->addStretch();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_locks, signal, this, &AttentionStrip::onLocksChanged);
    connect(&m_locks, &QAbstractItemModel::dataChanged, this, &AttentionStrip::onLocksChanged);
    connect(&m_locks, &QAbstractItemModel::modelReset, this, &AttentionStrip::onLocksChanged);
    keepFitted(*this, [this] { keepHeight(); });
    keepTranslated(*this, [this] { retranslate(); });
}

// Measured with an icon, which only a button with a count has: buttons that come or go must not change the height.
void AttentionStrip::keepHeight() {
    QToolButton& measured = *m_items.front().button;
    showAs(m_items.front(), Form::All);
    measured.setIcon(icon(QStringLiteral("warning"), Tone::Warning));
    m_height->changeSize(0, measured.sizeHint().height(), QSizePolicy::Fixed, QSizePolicy::Minimum);
    layout()->invalidate();
    fit();
}

void AttentionStrip::addItem(Attention attention) {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("attention_%1").arg(static_cast<int>(attention)));
    button->setCheckable(!isOfClients(attention));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
    const QString filter = filterFor(attention);
    if (isOfClients(attention))
        connect(button, &QToolButton::clicked, this, &AttentionStrip::wantClient);
    else
        connect(button, &QToolButton::clicked, this,
                [this, filter](bool isOn) { Q_EMIT filterWanted(isOn ? filter : QString()); });
    m_items.push_back(Item{attention, LockFilter(filter), button});
}

void AttentionStrip::retranslate() {
    for (const Item& item : m_items) {
        const QString help = titleOf(item.attention) + QLatin1Char('\n') + helpOf(item.attention);
        item.button->setToolTip(helpTip(help));
        item.button->setWhatsThis(helpTip(help));
    }
    fit();
}

void AttentionStrip::showAs(const Item& item, Form form) {
    const bool isFound = item.count > 0;
    // A button that is on can be switched off, whatever it counts.
    const bool isUseful = isFound || item.button->isChecked();
    const QString title = titleOf(item.attention);
    const QString counted = tr("%1: %2", "a title and a count").arg(title, numberText(item.count));
    item.button->setText(form == Form::CountsOnly ? numberText(item.count) : isFound ? counted : title);
    item.button->setAccessibleName(counted);
    item.button->setIcon(!isFound                  ? QIcon()
                         : isFault(item.attention) ? icon(QStringLiteral("warning"), Tone::Warning)
                                                   : icon(QStringLiteral("info"), Tone::Info));
    item.button->setEnabled(isUseful);
    item.button->setVisible(form == Form::All || isUseful);
}

void AttentionStrip::fit() {
    for (const Form form : {Form::All, Form::FoundOnly, Form::CountsOnly}) {
        for (const Item& item : m_items)
            showAs(item, form);
        if (layout()->sizeHint().width() <= width())
            return;
    }
}

QSize AttentionStrip::minimumSizeHint() const {
    return {0, layout()->minimumSize().height()};
}

void AttentionStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // What fits depends on the width alone. Fitting again for each height could go on without end.
    if (event->size().width() != event->oldSize().width())
        fit();
}

void AttentionStrip::follow(const QString& filter) {
    const LockFilter followed(filter);
    for (const Item& item : m_items)
        item.button->setChecked(!isOfClients(item.attention) && followed == item.filter);
    fit();
}

void AttentionStrip::follow(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        m_silent.clear();
    for (const monitor::SharedClient& client : batch.clients) {
        if (client->diagnoses.isEmpty())
            m_silent.remove(client->id);
        else
            m_silent.insert(client->id);
    }
    for (const ClientId& client : batch.removedClients)
        m_silent.remove(client);
    showClients();
}

void AttentionStrip::showClients() {
    const auto clients = std::ranges::find_if(m_items, [](const Item& item) { return isOfClients(item.attention); });
    const int count = static_cast<int>(m_silent.size());
    if (std::exchange(clients->count, count) != count)
        fit();
}

// The first one by id, so that the button goes to the same one again.
void AttentionStrip::wantClient() {
    if (!m_silent.isEmpty())
        Q_EMIT clientWanted(*std::ranges::min_element(m_silent, {}, &ClientId::bytes));
}

void AttentionStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    onLocksChanged();
}

// The locks are counted when the strip is next visible.
void AttentionStrip::onLocksChanged() {
    if (isVisible())
        m_next.startBy(m_clock.now() + countInterval);
}

void AttentionStrip::count() {
    if (m_counting.isUnderWay())
        return m_next.start(countInterval);
    std::vector<AttentionCount::Wanted> wanted;
    for (const Item& item : m_items) {
        if (!isOfClients(item.attention))
            wanted.push_back({item.filter, isFault(item.attention)});
    }
    m_counting.begin(AttentionCount(m_locks, std::move(wanted)));
}

void AttentionStrip::showCounts(const AttentionCount& counts) {
    bool isChanged = false;
    auto found = counts.found().begin();
    for (Item& item : m_items) {
        if (isOfClients(item.attention))
            continue;
        isChanged = std::exchange(item.count, *found) != *found || isChanged;
        ++found;
    }
    if (isChanged)
        fit();
    if (const std::optional<Milliseconds> next = counts.untilNextLongHeld(); next && isVisible())
        m_next.startBy(m_clock.now() + std::max(*next, countInterval));
}

}  // namespace lockkeeper::ui

#include "moc_attentionstrip.cpp"
