#include "ui/detail/detailpanel.h"

#include "ui/detail/conclusions.h"
#include "ui/detail/diagnosiscards.h"
#include "ui/detail/wrappedtext.h"
#include "ui/help/helptip.h"
#include "ui/holders/holdersection.h"
#include "ui/look/iconlabel.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/message/inlinemessage.h"
#include "ui/table/ttlbar.h"
#include "ui/words/throughputtext.h"
#include "ui/words/timetext.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds refreshInterval = 250ms;
// A lock with more readers or waiters than anybody reads through is shown by its first ones and their number.
constexpr qsizetype listedAtMost = 100;
constexpr qsizetype longestDetail = 2000;  // characters of a name; Copy name takes all of it

template <typename List, typename Line>
QString listText(const List& list, Line line) {
    QStringList lines;
    for (qsizetype i = 0; i < std::min<qsizetype>(list.size(), listedAtMost); ++i)
        lines << line(list[i], i);
    if (list.size() > listedAtMost)
        lines << DetailPanel::tr("and %1 more").arg(numberText(list.size() - listedAtMost));
    return lines.join(QLatin1Char('\n'));
}

QLabel* captionLabel(const QString& text, QWidget* parent) {
    QLabel* label = plainLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

}  // namespace

DetailPanel::DetailPanel(const ViewTime& time, Clock& clock, QWidget* parent)
    : QScrollArea(parent), m_time(time), m_ticker(clock, refreshInterval), m_page(new QWidget) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Details of the selected lock"));
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(12, 10, 12, 12);
    layout->setSpacing(2);
    makeHeader(*layout);
    makeFields(*layout);
    layout->addStretch(1);
    setWidget(m_page);
    connect(&m_ticker, &Ticker::ticked, this, &DetailPanel::tick);
    showNothing();
}

void DetailPanel::makeAbsence(QVBoxLayout& layout) {
    m_absence = new InlineMessage(m_page);
    m_absence->setObjectName(QStringLiteral("detailAbsence"));
    m_show = new QToolButton(m_page);
    m_show->setObjectName(QStringLiteral("detailShow"));
    m_show->setText(tr("Show it"));
    m_show->setToolTip(helpTip(tr("Clear the filter, so that the table shows this lock")));
    m_show->setFocusPolicy(Qt::TabFocus);
    m_absence->addButton(m_show);
    layout.addWidget(m_absence);
    connect(m_show, &QToolButton::clicked, this, &DetailPanel::showWanted);
}

void DetailPanel::makeHeader(QVBoxLayout& layout) {
    m_nothing = plainLabel(tr("Select a lock to see who holds it, since when, and what may be concluded."), m_page);
    m_nothing->setObjectName(QStringLiteral("detailNothing"));
    m_nothing->setWordWrap(true);
    layout.addWidget(m_nothing);
    makeAbsence(layout);
    m_stateIcon = new IconLabel(20, m_page);
    m_state = captionLabel({}, m_page);
    m_state->setObjectName(QStringLiteral("detailState"));
    m_copy = new QToolButton(m_page);
    m_copy->setObjectName(QStringLiteral("detailCopyName"));
    m_copy->setIcon(icon(QStringLiteral("copy")));
    m_copy->setText(tr("Copy name"));
    m_copy->setToolTip(helpTip(tr("Copy the lock's name to the clipboard")));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAutoRaise(true);
    m_copy->setFocusPolicy(Qt::TabFocus);
    connect(m_copy, &QToolButton::clicked, this, &DetailPanel::copyName);
    auto* row = new QHBoxLayout;
    row->addWidget(m_stateIcon);
    row->addWidget(m_state, 1);
    row->addWidget(m_copy);
    layout.addLayout(row);
    m_name = new WrappedText(6, m_page);
    m_name->setObjectName(QStringLiteral("detailName"));
    m_name->setAccessibleName(tr("Name of the lock"));
    QFont font = m_name->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    m_name->setFont(font);
    layout.addWidget(m_name);
}

void DetailPanel::makeFields(QVBoxLayout& layout) {
    m_diagnoses = new DiagnosisCards(m_page);
    layout.addWidget(m_diagnoses);
    m_conclusions = addField(layout, QStringLiteral("detailConclusions"), tr("What can be said"), 14);
    m_holders = addField(layout, QStringLiteral("detailHolders"), tr("Holder"), 8);
    m_values = addField(layout, QStringLiteral("detailValues"), tr("Values it locks"), 8);
    m_holderSection = new HolderSection(m_time, m_page);
    m_holderSection->setObjectName(QStringLiteral("holderSection"));
    layout.addWidget(m_holderSection);
    m_since = addField(layout, QStringLiteral("detailSince"), tr("Held since"), 2);
    m_lease = addField(layout, QStringLiteral("detailLease"), tr("Lease"), 3);
    m_renewals = addField(layout, QStringLiteral("detailRenewals"), tr("Renewals seen during this hold"), 2);
    m_throughput = addField(layout, QStringLiteral("detailThroughput"), tr("Throughput"), 8);
    m_waiters = addField(layout, QStringLiteral("detailWaiters"), tr("Waiters"), 2);
    m_queue = addField(layout, QStringLiteral("detailQueue"), tr("Fair queue, first in front"), 8);
    m_token = addField(layout, QStringLiteral("detailToken"), tr("Fencing token given last"), 1);
    m_kind = addField(layout, QStringLiteral("detailKind"), tr("Kind"), 5);
    m_channel = addField(layout, QStringLiteral("detailChannel"), tr("Release is announced on"), 6);
    m_seen = addField(layout, QStringLiteral("detailSeen"), tr("Last look"), 2);
    for (const Field& field : {m_holders, m_values, m_queue, m_channel})
        field.text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
}

DetailPanel::Field DetailPanel::addField(QVBoxLayout& layout, const QString& objectName, const QString& caption,
                                         int maximumLines) {
    const Field field{captionLabel(caption, m_page), new WrappedText(maximumLines, m_page)};
    field.caption->setBuddy(field.text);
    field.caption->setContentsMargins(0, 8, 0, 0);
    field.text->setObjectName(objectName);
    field.text->setAccessibleName(caption);
    layout.addWidget(field.caption);
    layout.addWidget(field.text);
    return field;
}

void DetailPanel::showLock(const monitor::LockRow& row, Ownership ownership, TablePlace place) {
    m_row = row;
    m_ownership = ownership;
    m_place = place;
    showAll();
}

void DetailPanel::showNothing() {
    m_row.reset();
    m_place = {};
    showAll();
}

QString DetailPanel::stateLine(LockState state) const {
    if (m_place.absence == Absence::Unlisted)
        return tr("State not known");
    return m_time.isLive() ? stateText(state) : tr("%1 (old)").arg(stateText(state));
}

void DetailPanel::setKnowledge(const HolderKnowledge& knowledge) {
    m_aliases = knowledge.aliases;
    m_holderSection->setKnowledge(knowledge);
    showAll();
}

void DetailPanel::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    showTimes();
}

void DetailPanel::setField(const Field& field, const QString& text) {
    field.text->setText(text);
    field.caption->setVisible(!text.isEmpty());
    field.text->setVisible(!text.isEmpty());
}

void DetailPanel::showAll() {
    m_nothing->setVisible(!m_row);
    if (const QString absence = absenceText(m_place.absence); absence != m_absence->text())
        m_absence->setMessage({Tone::Info, absence});
    m_show->setVisible(m_place.canBeShown);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_stateIcon, m_state, m_copy, m_name})
        widget->setVisible(m_row.has_value());
    if (m_row) {
        const LockState state = lockState(m_row->lock, m_ownership);
        m_stateIcon->setIcon(icon(stateIcon(state), state == LockState::NeverExpires ? Tone::Danger : Tone::Info));
        m_state->setText(stateLine(state));
        m_name->setText(plainName(m_row->lock.name, longestDetail));
    }
    m_diagnoses->setDiagnoses(m_row ? m_row->diagnoses : QList<monitor::Diagnosis>(), m_time.wallNow(), m_aliases);
    setField(m_holders, m_row ? holdersText() : QString());
    m_holderSection->setLock(m_row);
    setField(m_values, m_row ? valuesText() : QString());
    const bool busy = m_row && m_row->throughput;
    setField(m_throughput, busy ? throughputText(*m_row->throughput, m_time.wallNow()) : QString());
    setField(m_waiters, m_row ? waitersText() : QString());
    setField(m_queue, m_row ? queueText() : QString());
    setField(m_token, m_row && m_row->lock.token ? QString::number(*m_row->lock.token) : QString());
    setField(m_kind, m_row ? tr("%1. %2").arg(kindText(m_row->lock.kind), kindExplanation(m_row->lock)) : QString());
    setField(m_channel, m_row ? channelText(m_row->lock) : QString());
    setField(m_seen, m_row ? preciseClockText(m_row->lock.seenAtWall, m_time.wallNow()) : QString());
    showTimes();
}

void DetailPanel::showTimes() {
    setField(m_conclusions, m_row ? conclusions(*m_row, m_time).join(QStringLiteral("\n")) : QString());
    setField(m_since, m_row ? sinceText() : QString());
    setField(m_lease, m_row ? leaseText() : QString());
    setField(m_renewals, m_row ? renewalsText() : QString());
    const bool counting = m_row && ttlBar(*m_row, m_time).kind == TtlBar::Kind::Running;
    m_ticker.set(counting && isVisible() ? Ticker::State::Running : Ticker::State::Idle);
}

void DetailPanel::tick() {
    if (isVisible() && !window()->isMinimized())
        showTimes();
    else
        m_ticker.set(Ticker::State::Idle);
}

void DetailPanel::copyName() const {
    if (m_row)
        QGuiApplication::clipboard()->setText(fullName(m_row->lock.name));
}

QString DetailPanel::holdersText() const {
    return listText(m_row->lock.holders, [this](const monitor::Holder& holder, qsizetype) {
        return tr("%1\n  %2").arg(m_aliases.fullDisplay(holder.id), holderText(holder));
    });
}

// Of a reader also when each of its holds ends: the lock lives on with the last of all.
QString DetailPanel::holderText(const monitor::Holder& holder) const {
    const monitor::LockSnapshot& lock = m_row->lock;
    QString text = tr("%1, count %2").arg(modeText(holder.mode), numberText(holder.count));
    if (holder.mode != monitor::HoldMode::Read)
        return text;
    const bool writes = std::any_of(lock.holders.begin(), lock.holders.end(), [&](const monitor::Holder& other) {
        return other.mode == monitor::HoldMode::Write && other.id == holder.id;
    });
    if (writes)
        text += tr(", the writer itself");
    QStringList ends;
    for (const monitor::ReadLease& lease : lock.readLeases()) {
        if (lease.reader != holder.id || lease.hold > holder.count || ends.size() >= listedAtMost)
            continue;
        ends += lease.expiry ? clockText(lock.seenAtWall + toMilliseconds(lease.expiry->earliest - lock.seenAt),
                                         m_time.wallNow())
                             : tr("never");
    }
    return ends.isEmpty() ? text : text + tr("; by its own leases until %1").arg(ends.join(QStringLiteral(", ")));
}

QString DetailPanel::valuesText() const {
    return listText(m_row->lock.values(), [this](const monitor::HeldValue& held, qsizetype) {
        const QString until =
            held.expires ? tr("until %1").arg(clockText(*held.expires, m_time.wallNow())) : tr("end not known");
        return tr("%1\n  %2, count %3, %4")
            .arg(plainName(LockName(held.value)), m_aliases.fullDisplay(held.owner), numberText(held.count), until);
    });
}

QString DetailPanel::sinceText() const {
    if (!m_row->lock.isHeld())
        return {};
    const QString age = countText(toMilliseconds(m_time.moment() - m_row->heldSinceSteady));
    const QString since = clockText(m_row->heldSince, m_time.wallNow());
    return m_row->heldBeforeFirstLook ? tr("At least since %1 (%2 or longer)").arg(since, age)
                                      : tr("%1 (for %2)").arg(since, age);
}

QString DetailPanel::leaseText() const {
    const TtlBar bar = ttlBar(*m_row, m_time);
    const QString peak = durationText(m_row->peakTtl);
    switch (bar.kind) {
        case TtlBar::Kind::None:
            return {};
        case TtlBar::Kind::Running:
            return tr("Ends in %1 unless renewed; the longest TTL seen was %2").arg(bar.text, peak);
        case TtlBar::Kind::RunOut:
            return tr("Has run out by the clock; waiting to see what the server says");
        case TtlBar::Kind::NeverExpires:
            return tr("None: it never expires");
        case TtlBar::Kind::Frozen:
            return tr("%1 were left when the server was last heard; the longest TTL seen was %2")
                .arg(countText(timeLeft(*m_row, m_time.moment()).value_or(0ms)), peak);
    }
    return {};
}

QString DetailPanel::renewalsText() const {
    if (!m_row->lock.isHeld())
        return {};
    if (m_row->renewals == 0 || !m_row->lastRenewal)
        return tr("None");
    const QString age = countText(toMilliseconds(m_time.moment() - *m_row->lastRenewal));
    return tr("%1, the last %2 ago").arg(numberText(static_cast<qint64>(m_row->renewals)), age);
}

QString DetailPanel::waitersText() const {
    if (!m_row->lock.fairQueue.isEmpty())
        return tr("%1 queued; a release wakes the head of the queue").arg(numberText(queueLength(m_row->lock)));
    if (!m_row->lock.waiters)
        return tr("Not known");
    if (*m_row->lock.waiters == 0)
        return tr("Nobody listens for its release");
    if (*m_row->lock.waiters == 1)
        return tr("1 client instance listens for its release; it may stand for several threads");
    return tr("%1 client instances listen for its release; each may stand for several threads")
        .arg(numberText(*m_row->lock.waiters));
}

QString DetailPanel::queueText() const {
    return listText(m_row->lock.fairQueue, [this](const monitor::FairWaiter& waiter, qsizetype place) {
        const QString until =
            waiter.deadline ? tr("until %1 by the server's clock").arg(clockText(*waiter.deadline, m_time.wallNow()))
                            : tr("deadline not known");
        return tr("%1. %2\n  %3").arg(place + 1).arg(m_aliases.fullDisplay(waiter.id), until);
    });
}

}  // namespace lockkeeper::ui

#include "moc_detailpanel.cpp"
