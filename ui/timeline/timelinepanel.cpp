#include "ui/timeline/timelinepanel.h"

#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/look/tone.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QToolButton>

namespace lockkeeper::ui {

namespace {

const auto pinnedKey = QStringLiteral("timeline/pinned");

QToolButton* button(const QString& objectName, const QString& text, const QString& toolTip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(objectName);
    button->setText(text);
    button->setToolTip(helpTip(toolTip));
    button->setAccessibleName(toolTip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

TimelinePanel::TimelinePanel(const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_time(time),
      m_timeline(new TimelineWidget(m_history, time, clock, this)),
      m_follow(new QAction(tr("&Follow the present"), this)) {
    m_timeline->setObjectName(QStringLiteral("timeline"));
    m_timeline->setWhatsThis(helpTip(tr(
        "A lane for each lock: the selected one, those pinned, then the busiest. A bar is a hold, a colour and pattern "
        "a holder, the line in it the lease that runs off and is renewed; marks are events, the curve below counts who "
        "waits. Where it is hatched, nobody watched.")));
    m_follow->setObjectName(QStringLiteral("followTimeline"));
    m_follow->setCheckable(true);
    m_follow->setToolTip(helpTip(tr("Move on with time (Space); drag, wheel and arrow keys look back")));
    makeBar();
    connect(m_follow, &QAction::toggled, this, [this](bool follow) {
        m_timeline->setFlow(follow ? TimelineWidget::Flow::Following : TimelineWidget::Flow::Still);
    });
    connect(m_timeline, &TimelineWidget::flowChanged, this, &TimelinePanel::showFlow);
    showFlow();
}

void TimelinePanel::makeBar() {
    QToolButton* in = button(QStringLiteral("timelineZoomIn"), tr("+"), tr("Zoom in (+)"), this);
    QToolButton* out = button(QStringLiteral("timelineZoomOut"), tr("−"), tr("Zoom out (-)"), this);
    QToolButton* all = button(QStringLiteral("timelineAll"), tr("All"), tr("Show all that is known"), this);
    auto* follow = button(QStringLiteral("timelineFollow"), QString(), QString(), this);
    follow->setDefaultAction(m_follow);
    follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QLabel* legend =
        plainLabel(tr("Bars: holders. Line: the lease's rest. Below: who waits. Hatched: not watched."), this);
    legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(legend, 1);
    for (QToolButton* one : {in, out, all, follow})
        bar->addWidget(one);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_timeline, 1);
    connect(in, &QToolButton::clicked, m_timeline, &TimelineWidget::zoomIn);
    connect(out, &QToolButton::clicked, m_timeline, &TimelineWidget::zoomOut);
    connect(all, &QToolButton::clicked, m_timeline, &TimelineWidget::showAll);
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
    if (!batch.events.empty() || !batch.removed.empty())
        m_timeline->refresh();
}

void TimelinePanel::append(const std::vector<monitor::LockEvent>& events) {
    m_history.append(events);
    m_timeline->refresh();
}

void TimelinePanel::clear() {
    m_history.clear();
    m_timeline->refresh();
}

void TimelinePanel::save(QSettings& settings) const {
    QStringList names;
    for (const LockName& name : m_timeline->pinned())
        names << QString::fromLatin1(name.bytes().toBase64());
    settings.setValue(pinnedKey, names);
}

void TimelinePanel::restore(const QSettings& settings) {
    QList<LockName> names;
    for (const QString& name : settings.value(pinnedKey).toStringList())
        names << LockName(QByteArray::fromBase64(name.toLatin1()));
    m_timeline->setPinned(names);
}

}  // namespace lockkeeper::ui

#include "moc_timelinepanel.cpp"
