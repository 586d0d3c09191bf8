// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepanel.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/storedvalues.h"
#include "ui/timeline/lanemenu.h"
#include "ui/timeline/timelinelegend.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPixmap>
#include <QScopeGuard>
#include <QSettings>
#include <QToolButton>

namespace lockkeeper::ui {

namespace {

const auto pinnedKey = QStringLiteral("timeline/pinned");
constexpr qsizetype mostPinned = 1000;

QToolButton* makeButton(const QString& objectName, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(objectName);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void setTexts(QToolButton& button, const QString& text, const QString& toolTip) {
    button.setText(text);
    button.setToolTip(helpTip(toolTip));
    button.setAccessibleName(toolTip);
}

}  // namespace

TimelinePanel::TimelinePanel(const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_timeline(new TimelineWidget(m_history, time, clock, this)),
      m_follow(new QAction(this)),
      m_menu(new LaneMenu(*m_timeline, *m_follow)),
      m_legend(makeButton(QStringLiteral("timelineLegend"), this)),
      m_zoomIn(makeButton(QStringLiteral("timelineZoomIn"), this)),
      m_zoomOut(makeButton(QStringLiteral("timelineZoomOut"), this)),
      m_all(makeButton(QStringLiteral("timelineAll"), this)) {
    m_timeline->setObjectName(QStringLiteral("timeline"));
    m_follow->setObjectName(QStringLiteral("followTimeline"));
    m_follow->setCheckable(true);
    makeBar();
    connect(m_follow, &QAction::toggled, this, [this](bool follow) {
        m_timeline->setFlow(follow ? TimelineWidget::Flow::Following : TimelineWidget::Flow::Still);
    });
    connect(m_timeline, &TimelineWidget::flowChanged, this, &TimelinePanel::showFlow);
    keepTranslated(*this, [this] { retranslate(); });
}

void TimelinePanel::retranslate() {
    m_timeline->setWhatsThis(helpTip(tr(
        "A lane for each lock: the pinned ones, the selected one, those with a diagnosis, those that are waited for, then the "
        "busiest. Each bar is a hold; its color "
        "and pattern stand for the holder, and the line in it shows the time that is left of the lease. Marks are "
        "events. The curve below counts the waiters. Hatched: not watched.")));
    m_follow->setText(tr("Fo&llow the present"));
    m_follow->setToolTip(helpTip(
        tr("Keep the present in sight (Space). To see earlier times, drag, or use the wheel or the arrow keys")));
    setTexts(*m_legend, tr("Legend"), tr("What the signs of the timeline mean"));
    setTexts(*m_zoomIn, tr("+"), tr("Zoom in (+)"));
    setTexts(*m_zoomOut, tr("−"), tr("Zoom out (-)"));
    setTexts(*m_all, tr("All"), tr("Show all that is known"));
    showFlow();
}

void TimelinePanel::makeBar() {
    QToolButton* follow = makeButton(QStringLiteral("timelineFollow"), this);
    follow->setDefaultAction(m_follow);
    follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_legend);
    bar->addStretch(1);
    for (QToolButton* one : {m_zoomIn, m_zoomOut, m_all, follow})
        bar->addWidget(one);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_timeline, 1);
    connect(m_legend, &QToolButton::clicked, this, &TimelinePanel::openLegend);
    connect(m_zoomIn, &QToolButton::clicked, m_timeline, &TimelineWidget::zoomIn);
    connect(m_zoomOut, &QToolButton::clicked, m_timeline, &TimelineWidget::zoomOut);
    connect(m_all, &QToolButton::clicked, m_timeline, &TimelineWidget::showAll);
}

void TimelinePanel::openLegend() {
    auto* legend = new TimelineLegend(this);
    legend->resize(legend->sizeHint());
    legend->move(m_legend->mapToGlobal(QPoint(0, m_legend->height())));
    legend->show();
}

void TimelinePanel::noteUrgency(const monitor::MonitorBatch& batch) {
    const auto note = [](QSet<LockName>& names, const LockName& name, bool isOne) {
        if (isOne)
            names.insert(name);
        else
            names.remove(name);
    };
    for (const monitor::SharedRow& row : batch.changed) {
        note(m_diagnosed, row->lock.name, monitor::hasFault(row->diagnoses));
        note(m_contended, row->lock.name, row->lock.isWaitedFor());
    }
    for (const LockName& name : batch.removed) {
        m_diagnosed.remove(name);
        m_contended.remove(name);
    }
    m_timeline->setUrgent(m_diagnosed, m_contended);
}

void TimelinePanel::showFlow() {
    const bool following = m_timeline->flow() == TimelineWidget::Flow::Following;
    m_follow->setChecked(following);
    m_follow->setIcon(icon(following ? QStringLiteral("pause") : QStringLiteral("play")));
    m_follow->setIconText(following ? tr("Following") : tr("Follow"));
}

void TimelinePanel::follow() {
    if (m_time.isLive())
        m_history.resume(m_time.wallMoment());
    else if (m_time.wallMoment() != WallTime{})
        m_history.interrupt(m_time.wallMoment());
    m_timeline->refresh();
}

void TimelinePanel::apply(const monitor::MonitorBatch& batch) {
    m_history.append(batch.events);
    m_history.forget(batch.removed);
    noteUrgency(batch);
    if (!batch.events.empty() || !batch.removed.empty())
        m_timeline->refresh();
}

void TimelinePanel::interrupt(const std::vector<monitor::LockSnapshot>& locks) {
    for (const monitor::LockSnapshot& lock : locks)
        m_history.interrupt(lock.name, m_time.of(lock).wallMoment());
    m_timeline->refresh();
}

void TimelinePanel::append(const std::vector<monitor::LockEvent>& events) {
    m_history.append(events);
    m_timeline->refresh();
}

void TimelinePanel::addChange(const monitor::LockEvent& event) {
    m_history.addChange(event);
    m_timeline->refresh();
}

void TimelinePanel::explain(const monitor::LockEvent& handOver) {
    m_history.explain(handOver);
    m_timeline->refresh();
}

void TimelinePanel::clear() {
    m_history.clear();
    m_diagnosed.clear();
    m_contended.clear();
    m_timeline->setUrgent(m_diagnosed, m_contended);
    m_timeline->refresh();
}

QImage TimelinePanel::picture(ClockZone zone) {
    const QScopeGuard back([shown = clockZone()] { setClockZone(shown); });
    setClockZone(zone);
    // The panel is closed, so nothing has given it a size.
    if (!m_timeline->isVisibleTo(m_timeline->window()))
        m_timeline->resize(m_timeline->size().expandedTo(m_timeline->sizeHint()));
    return m_timeline->grab().toImage();
}

void TimelinePanel::save(QSettings& settings) const {
    QStringList names;
    for (const LockName& name : m_timeline->pinned())
        names << QString::fromLatin1(name.bytes().toBase64());
    settings.setValue(pinnedKey, names);
}

void TimelinePanel::restore(QSettings& settings) {
    QList<LockName> names;
    (void)storedTexts(settings, pinnedKey, mostPinned, [&names](const QString& text) {
        const auto name = QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
        if (!name)
            return false;
        names << LockName(*name);
        return true;
    });
    m_timeline->setPinned(names);
    m_timeline->setOptions(TimelineOptions::load(settings));
}

}  // namespace lockkeeper::ui

#include "moc_timelinepanel.cpp"
