// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/detailpanel.h"

#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/wrappedtext.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/details/detailheader.h"
#include "ui/locks/details/detailtexts.h"
#include "ui/locks/details/diagnosiscards.h"
#include "ui/locks/details/queuetable.h"
#include "ui/locks/holders/holdersection.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/words/throughputtext.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QFontDatabase>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds detailRefreshInterval = 250ms;

QLabel* captionLabel(QWidget* parent) {
    QLabel* label = plainLabel(parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

// The mark of the client in each line; empty if no line names a client.
QList<int> clientMarks(const QString& text, const ClientColors& colors) {
    static const QRegularExpression uuid(QStringLiteral("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"));
    QList<int> marks;
    bool areAny = false;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        const QRegularExpressionMatch match = uuid.match(line);
        areAny = areAny || match.hasMatch();
        marks << (match.hasMatch() ? colors.of(ClientId(match.captured().toLatin1())) : -1);
    }
    return areAny ? marks : QList<int>();
}

}  // namespace

DetailPanel::DetailPanel(const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_ticker(clock, detailRefreshInterval),
      m_header(new DetailHeader(time, this)),
      m_scroll(new QScrollArea(this)),
      m_page(new QWidget),
      m_sections(new QVBoxLayout(m_page)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    makeHeader(*layout);
    makePage(*layout);
    connect(&m_ticker, &Ticker::ticked, this, &DetailPanel::tick);
    keepTranslated(*this, [this] { retranslate(); });
}

void DetailPanel::makePage(QVBoxLayout& layout) {
    m_scroll->setObjectName(QStringLiteral("detailScroll"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_sections->setContentsMargins(12, 4, 12, 12);
    m_sections->setSpacing(2);
    makeFields();
    m_sections->addStretch(1);
    // Installed before the scroll area installs its own, so that it is called after that, when the range of the bar
    // is up to date.
    m_page->installEventFilter(this);
    m_scroll->setWidget(m_page);
    connect(m_scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, &DetailPanel::onScrolled);
    layout.addWidget(m_scroll, 1);
}

void DetailPanel::retranslate() {
    setAccessibleName(tr("Details of the selected lock"));
    m_nothing->setText(tr("Select a lock to see who holds it, since when, and what may be concluded."));
    m_show->setText(tr("Show it"));
    m_show->setToolTip(helpTip(tr("Clear the filter, so that the table shows this lock")));
    m_header->retranslate();
    setCaption(m_conclusions, tr("What can be said"));
    setCaption(m_holders, tr("Holder"));
    setCaption(m_values, tr("Values it locks"));
    setCaption(m_since, tr("Held since"));
    setCaption(m_lease, tr("Lease"));
    setCaption(m_renewals, tr("Renewals seen during this hold"));
    setCaption(m_throughput, tr("Throughput"));
    setCaption(m_waiters, tr("Waiters"));
    m_queueTable->retranslate();
    setCaption(m_queue, tr("Queue under another name"));
    setCaption(m_waits, tr("How long it took to get it"));
    setCaption(m_token, tr("Fencing token given last"));
    setCaption(m_operators, tr("What operators did"));
    setCaption(m_kind, tr("Kind"));
    setCaption(m_channel, tr("Release is announced on"));
    setCaption(m_node, tr("Node"));
    setCaption(m_seen, tr("Last read"));
    m_diagnoses->forget();
    showAll();
}

void DetailPanel::setCaption(const Field& field, const QString& caption) {
    field.caption->setText(caption);
    field.text->setAccessibleName(caption);
}

void DetailPanel::makeAbsence(QVBoxLayout& layout) {
    m_absence = new InlineMessage(this);
    m_absence->setObjectName(QStringLiteral("detailAbsence"));
    m_show = new QToolButton(this);
    m_show->setObjectName(QStringLiteral("detailShow"));
    m_show->setFocusPolicy(Qt::TabFocus);
    m_absence->addButton(m_show);
    layout.addWidget(m_absence);
    connect(m_show, &QToolButton::clicked, this, &DetailPanel::showWanted);
}

void DetailPanel::makeHeader(QVBoxLayout& layout) {
    m_nothing = plainLabel(this);
    m_nothing->setObjectName(QStringLiteral("detailNothing"));
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(12);
    layout.addWidget(m_nothing);
    layout.addWidget(m_header);
    makeAbsence(layout);
}

// The fields that are always there come first, so that they keep their place.
void DetailPanel::makeFields() {
    m_holderSection = new HolderSection(m_time, m_page);
    m_holderSection->setObjectName(QStringLiteral("holderSection"));
    m_sections->addWidget(m_holderSection);
    m_diagnoses = new DiagnosisCards(m_page);
    m_sections->addWidget(m_diagnoses);
    m_conclusions = addField(QStringLiteral("detailConclusions"), 14);
    m_holders = addField(QStringLiteral("detailHolders"), 8, Empty::Shown);
    m_since = addField(QStringLiteral("detailSince"), 2, Empty::Shown);
    m_lease = addField(QStringLiteral("detailLease"), 3, Empty::Shown);
    m_renewals = addField(QStringLiteral("detailRenewals"), 2, Empty::Shown);
    m_waiters = addField(QStringLiteral("detailWaiters"), 8, Empty::Shown);
    m_queueTable = new QueueTable(m_page);
    m_sections->addWidget(m_queueTable);
    connect(m_queueTable, &QueueTable::removalWanted, this, [this](const HolderId& waiter) {
        if (m_row)
            Q_EMIT removalWanted(m_row->lock.name, waiter);
    });
    m_queue = addField(QStringLiteral("detailQueue"), 8);
    m_waits = addField(QStringLiteral("detailWaits"), 6);
    m_token = addField(QStringLiteral("detailToken"), 1);
    m_operators = addField(QStringLiteral("detailOperators"), 8);
    m_values = addField(QStringLiteral("detailValues"), 8);
    m_throughput = addField(QStringLiteral("detailThroughput"), 8);
    m_kind = addField(QStringLiteral("detailKind"), 5);
    m_channel = addField(QStringLiteral("detailChannel"), 6);
    m_node = addField(QStringLiteral("detailNode"), 2);
    m_seen = addField(QStringLiteral("detailSeen"), 2);
    keepFitted(*m_page, [this] {
        QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        fixed.setPointSizeF(m_page->font().pointSizeF());
        for (const Field& field : {m_holders, m_values, m_queue, m_channel})
            field.text->setFont(fixed);
    });
}

DetailPanel::Field DetailPanel::addField(const QString& objectName, int maximumLines, Empty empty) {
    const Field field{captionLabel(m_page), new WrappedText(maximumLines, m_page), empty};
    field.caption->setBuddy(field.text);
    field.caption->setWordWrap(true);
    field.caption->setContentsMargins(0, 8, 0, 0);
    field.text->setObjectName(objectName);
    m_sections->addWidget(field.caption);
    m_sections->addWidget(field.text);
    return field;
}

std::array<DetailPanel::Field*, 16> DetailPanel::fields() {
    return {&m_conclusions, &m_holders,   &m_since,  &m_lease,      &m_renewals, &m_waiters, &m_queue, &m_waits,
            &m_token,       &m_operators, &m_values, &m_throughput, &m_kind,     &m_channel, &m_node,  &m_seen};
}

void DetailPanel::setClientColors(const ClientColors& colors) {
    m_colors = &colors;
    m_queueTable->setClientColors(colors);
    m_header->setClientColors(colors);
}

void DetailPanel::offerActions(const QList<QAction*>& actions) {
    m_header->offerActions(actions);
}

// To be called for another lock.
void DetailPanel::startOver() {
    for (Field* field : fields()) {
        field->wasShown = false;
        field->text->forgetHeight();
    }
    m_diagnoses->forget();
    m_queueTable->startOver();
    m_anchor = {};
    m_scroll->verticalScrollBar()->setValue(0);
}

void DetailPanel::showLock(const monitor::LockRow& row, OwnLease own, TablePlace place) {
    if (!m_row || m_row->lock.name != row.lock.name)
        startOver();
    m_row = row;
    m_own = own;
    m_place = place;
    showAll();
}

void DetailPanel::showNothing() {
    m_row.reset();
    m_place = {};
    showAll();
}

const ViewTime& DetailPanel::time() const {
    return m_row ? m_time.of(m_row->lock) : m_time;
}

void DetailPanel::setKnowledge(const HolderKnowledge& knowledge) {
    m_aliases = knowledge.aliases;
    m_holderSection->setKnowledge(knowledge);
    m_header->setAliases(knowledge.aliases);
    m_header->setNames(knowledge.names);
    showAll();
}

void DetailPanel::setOperatorActions(const QStringList& lines) {
    if (lines == m_actions)
        return;
    m_actions = lines;
    setField(m_operators, m_actions.join(u'\n'));
}

void DetailPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showTimes();
}

void DetailPanel::setField(Field& field, const QString& text) {
    field.wasShown = m_row && (field.wasShown || !text.isEmpty());
    const bool shown = m_row && (field.wasShown || field.empty == Empty::Shown);
    field.text->setText(text.isEmpty() ? tr("None") : text);
    field.caption->setVisible(shown);
    field.text->setVisible(shown);
}

void DetailPanel::setClients(Field& field, const QString& text) {
    setField(field, text);
    field.text->setMarks(m_colors ? clientMarks(text, *m_colors) : QList<int>(), clientIcon);
}

void DetailPanel::showAll() {
    m_nothing->setVisible(!m_row);
    m_header->setVisible(m_row.has_value());
    m_scroll->setVisible(m_row.has_value());
    if (const QString absence = absenceText(m_place.absence); absence != m_absence->text())
        m_absence->setMessage({Tone::Info, absence});
    m_show->setVisible(m_place.canBeShown);
    if (m_row)
        m_header->setLock(*m_row, m_own == OwnLease::None ? Ownership::Others : Ownership::Own, m_place.absence);
    showSections();
}

void DetailPanel::showSections() {
    m_holderSection->setLock(m_row);
    m_diagnoses->setDiagnoses(m_row ? m_row->diagnoses : QList<monitor::Diagnosis>(), time().wallNow(), m_aliases);
    const std::optional<DetailTexts> texts =
        m_row ? std::optional(DetailTexts(*m_row, time(), m_aliases)) : std::nullopt;
    setClients(m_holders, texts ? texts->holders() : QString());
    setClients(m_values, texts ? texts->values() : QString());
    const bool busy = m_row && m_row->throughput;
    setField(m_throughput, busy ? throughputText(*m_row->throughput, time().wallNow()) : QString());
    setField(m_waiters, texts ? texts->waiters() : QString());
    if (m_row)
        m_queueTable->show(*m_row, time().wallNow(), m_aliases);
    setClients(m_queue, texts ? texts->otherQueue() : QString());
    setField(m_waits, m_row && m_row->waits->past ? waitTimesText(*m_row->waits->past) : QString());
    setField(m_token, m_row && m_row->lock.token ? QString::number(*m_row->lock.token) : QString());
    setField(m_operators, m_actions.join(u'\n'));
    const QString kind = m_row ? tr("%1. %2").arg(kindTextOf(m_row->lock), kindExplanation(m_row->lock)) : QString();
    setField(m_kind, m_row ? sentencesText({kind, internalText(m_row->lock.name)}) : QString());
    setField(m_channel, m_row ? channelText(m_row->lock) : QString());
    setField(m_node, m_row ? nodeText(m_row->lock) : QString());
    setField(m_seen, m_row ? preciseClockText(m_row->lock.seenAtWall, time().wallNow()) : QString());
    showTimes();
}

QWidget* DetailPanel::firstInSight() const {
    const int top = m_scroll->verticalScrollBar()->value();
    for (int i = 0; i < m_sections->count(); ++i) {
        QWidget* section = m_sections->itemAt(i)->widget();
        if (section && section->isVisible() && section->y() >= top)
            return section;
    }
    return nullptr;
}

// Remembers what the reader has scrolled to; the beginning needs no memory.
void DetailPanel::onScrolled(int value) {
    const bool isByLayout = m_anchor.section && m_anchor.section->y() != m_anchor.y;
    if (isByLayout)
        return;
    m_anchor.section = value > 0 ? firstInSight() : nullptr;
    m_anchor.y = m_anchor.section ? m_anchor.section->y() : 0;
    m_anchor.offset = m_anchor.y - value;
}

// A card that comes or goes above what the reader has scrolled to does not move it.
bool DetailPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool isLaidOut = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (watched == m_page && isLaidOut && m_anchor.section && m_anchor.section->y() != m_anchor.y) {
        m_anchor.y = m_anchor.section->y();
        m_scroll->verticalScrollBar()->setValue(m_anchor.y - m_anchor.offset);
    }
    return QWidget::eventFilter(watched, event);
}

void DetailPanel::showTimes() {
    if (m_row)
        m_header->showTimes();
    setField(m_conclusions, m_row ? conclusions(*m_row, time(), m_own).join(QStringLiteral("\n")) : QString());
    const std::optional<DetailTexts> texts =
        m_row ? std::optional(DetailTexts(*m_row, time(), m_aliases)) : std::nullopt;
    setField(m_since, texts ? texts->since() : QString());
    setField(m_lease, texts ? texts->lease() : QString());
    setField(m_renewals, texts ? texts->renewals() : QString());
    const bool counting = m_row && ttlBar(*m_row, time()).kind == TtlBar::Kind::Running;
    m_ticker.set(counting && isVisible() ? Ticker::State::Running : Ticker::State::Idle);
}

void DetailPanel::tick() {
    if (isVisible() && !window()->isMinimized())
        showTimes();
    else
        m_ticker.set(Ticker::State::Idle);
}

}  // namespace lockkeeper::ui

#include "moc_detailpanel.cpp"
