// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/timelinepage.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr std::array<Milliseconds, 6> spans{30s, 1min, 5min, 15min, 1h, 6h};

}  // namespace

TimelinePage::TimelinePage(const TimelineOptions& options, QWidget* parent)
    : QWidget(parent),
      m_heightLabel(plainLabel(this)),
      m_height(new QComboBox(this)),
      m_spanLabel(plainLabel(this)),
      m_span(new QComboBox(this)),
      m_countLabel(plainLabel(this)),
      m_count(new QSpinBox(this)),
      m_kept(new QCheckBox(this)),
      m_pins(plainLabel(this)),
      m_unpin(new QPushButton(this)) {
    m_height->setObjectName(QStringLiteral("settingsLaneHeight"));
    m_span->setObjectName(QStringLiteral("settingsTimelineSpan"));
    m_count->setObjectName(QStringLiteral("settingsLaneCount"));
    m_kept->setObjectName(QStringLiteral("settingsKeptLanes"));
    m_unpin->setObjectName(QStringLiteral("settingsUnpin"));
    m_height->addItems({QString(), QString(), QString()});
    for (const Milliseconds span : spans)
        m_span->addItem(QString(), qint64{span.count()});
    m_count->setRange(TimelineOptions::fewestLanes, TimelineOptions::mostLanes);
    m_count->setKeyboardTracking(false);  // 10 is on the way to 100
    m_unpin->setAutoDefault(false);
    makeLayout();
    setOptions(options);
    connect(m_height, &QComboBox::currentIndexChanged, this, &TimelinePage::announce);
    connect(m_span, &QComboBox::currentIndexChanged, this, &TimelinePage::announce);
    connect(m_count, &QSpinBox::valueChanged, this, &TimelinePage::announce);
    connect(m_kept, &QCheckBox::toggled, this, &TimelinePage::announce);
    connect(m_unpin, &QPushButton::clicked, this, &TimelinePage::unpinWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

void TimelinePage::makeLayout() {
    m_heightLabel->setBuddy(m_height);
    m_spanLabel->setBuddy(m_span);
    m_countLabel->setBuddy(m_count);
    m_pins->setWordWrap(true);
    auto* layout = new QFormLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addRow(m_heightLabel, m_height);
    layout->addRow(m_spanLabel, m_span);
    layout->addRow(m_countLabel, m_count);
    layout->addRow(m_kept);
    layout->addRow(m_pins);
    auto* unpin = new QHBoxLayout;
    unpin->addWidget(m_unpin);
    unpin->addStretch(1);
    layout->addRow(unpin);
    layout->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
}

void TimelinePage::setOptions(const TimelineOptions& options) {
    m_height->setCurrentIndex(static_cast<int>(options.laneHeight));
    const int known = m_span->findData(qint64{options.span.count()});
    m_span->setCurrentIndex(std::max(known, 0));
    m_count->setValue(options.count);
    m_kept->setChecked(options.order == PresentLanes::Order::Lasting);
}

TimelineOptions TimelinePage::options() const {
    TimelineOptions options;
    options.laneHeight = static_cast<TimelineOptions::LaneHeight>(m_height->currentIndex());
    options.span = Milliseconds(m_span->currentData().toLongLong());
    options.count = m_count->value();
    options.order = m_kept->isChecked() ? PresentLanes::Order::Lasting : PresentLanes::Order::Free;
    return options;
}

void TimelinePage::announce() {
    Q_EMIT changed(options());
}

void TimelinePage::retranslate() {
    m_heightLabel->setText(tr("&Height of a lane:"));
    const QStringList heights{tr("Low"), tr("Medium"), tr("High")};
    for (int i = 0; i < heights.size(); ++i)
        m_height->setItemText(i, heights.at(i));
    m_spanLabel->setText(tr("&Time in sight:"));
    const QStringList texts{tr("30 seconds"), tr("1 minute"), tr("5 minutes"),
                            tr("15 minutes"), tr("1 hour"),   tr("6 hours")};
    for (int i = 0; i < texts.size(); ++i)
        m_span->setItemText(i, texts.at(i));
    m_countLabel->setText(tr("Lanes at &most:"));
    m_kept->setText(tr("&Keep lanes where they are"));
    m_kept->setToolTip(helpTip(
        tr("A lane that is shown stays, also when other locks are busier. Off: the busiest locks take the places "
           "of quiet ones, but not while the pointer is over the timeline.")));
    m_kept->setWhatsThis(m_kept->toolTip());
    m_pins->setText(tr("Lanes that you pinned by their context menu stay at the top."));
    m_unpin->setText(tr("&Unpin all lanes"));
}

}  // namespace lockkeeper::ui

#include "moc_timelinepage.cpp"
