// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaybar.h"

#include "lab/experiment/experimenttext.h"
#include "ui/base/badge.h"
#include "ui/base/flowlayout.h"
#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/replay/excerptdialog.h"
#include "ui/replay/steplist.h"
#include "ui/words/recordingtext.h"
#include "ui/words/timetext.h"
#include "ui/words/tracetext.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace lockkeeper::ui {

namespace {

constexpr std::array speeds{0.1, 1.0, 5.0, 20.0, 100.0, 1000.0};
constexpr int usualSpeed = 1;
constexpr int gap = 6;  // between words
// The unit of the slider: recordings of days fit into its range.
constexpr Milliseconds sliderUnit{100};
constexpr int longestCaption = 300;  // characters; a file may have any
// Differs from the colors of connections that may write.
const QColor recordingColor(0x6a, 0x3d, 0x9a);

// With the date: a recording may be of any day.
QString momentText(WallTime at) {
    return clockText(at, WallTime());
}

// The server, or the experiment of the lab, even if this program does not know it.
QString subjectOf(const recording::RecordingInfo& info) {
    if (!info.experiment)
        return info.server;
    const std::optional<lab::ExperimentText> text = lab::experimentTextOf(info.experiment->id);
    return text ? text->title : QString::fromUtf8(info.experiment->id);
}

int sliderValue(const ReplayCourse& course, SteadyTime time) {
    const auto units = (time - course.first) / sliderUnit;
    return static_cast<int>(std::clamp<qint64>(units, 0, std::numeric_limits<int>::max()));
}

}  // namespace

ReplayBar::ReplayBar(ReplayEngine& engine, QWidget* parent)
    : QFrame(parent),
      m_engine(engine),
      m_badge(new Badge(this)),
      m_time(plainLabel(this)),
      m_of(plainLabel(this)),
      m_caption(plainLabel(this)),
      m_showSteps(makeButton(QStringLiteral("replayShowSteps"))),
      m_steps(new StepList(this)),
      m_back(makeButton(QStringLiteral("replayBack"))),
      m_play(makeButton(QStringLiteral("replayPlay"))),
      m_forward(makeButton(QStringLiteral("replayForward"))),
      m_speed(new QComboBox(this)),
      m_slider(new QSlider(Qt::Horizontal, this)),
      m_excerpt(makeButton(QStringLiteral("replayExcerpt"))),
      m_cancel(makeButton(QStringLiteral("replayCancel"))),
      m_message(new InlineMessage(this)) {
    setObjectName(QStringLiteral("replayBar"));
    setFrameShape(QFrame::StyledPanel);
    makeControls();
    connect(&m_engine, &ReplayEngine::loaded, this, &ReplayBar::showLoaded);
    connect(&m_engine, &ReplayEngine::courseChanged, this, &ReplayBar::showCourse);
    connect(&m_engine, &ReplayEngine::loading, this, &ReplayBar::showLoading);
    keepTranslated(*this, [this] { retranslate(); });
}

QToolButton* ReplayBar::makeButton(const QString& objectName) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void ReplayBar::makeControls() {
    m_badge->setObjectName(QStringLiteral("replayBadge"));
    m_time->setObjectName(QStringLiteral("replayTime"));
    QFont bold = m_time->font();
    bold.setBold(true);
    m_time->setFont(bold);
    m_of->setObjectName(QStringLiteral("replayOf"));
    m_caption->setObjectName(QStringLiteral("replayCaption"));
    m_caption->setWordWrap(true);
    keepFontScaled(*m_caption, 1.3);
    m_showSteps->setCheckable(true);
    connect(m_showSteps, &QToolButton::toggled, this, &ReplayBar::showTexts);
    m_slider->setObjectName(QStringLiteral("replaySlider"));
    m_speed->setObjectName(QStringLiteral("replaySpeed"));
    m_message->setObjectName(QStringLiteral("replayMessage"));
    for (const double factor : speeds)
        m_speed->addItem(QString(), factor);
    m_speed->setCurrentIndex(usualSpeed);
    m_back->setArrowType(Qt::LeftArrow);
    m_forward->setArrowType(Qt::RightArrow);
    connect(m_back, &QToolButton::clicked, this, [this] { m_engine.step(ReplayStep::Back); });
    connect(m_forward, &QToolButton::clicked, this, [this] { m_engine.step(ReplayStep::Forward); });
    connect(m_play, &QToolButton::clicked, this, &ReplayBar::togglePlay);
    connect(m_slider, &QSlider::valueChanged, this, &ReplayBar::seekTo);
    connect(m_excerpt, &QToolButton::clicked, this, &ReplayBar::askForExcerpt);
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_engine.cancelLoading(); });
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
        if (m_course.isPlaying)
            m_engine.play(speed());
    });
    // In large type they need more than one line.
    auto* words = new FlowLayout(gap);
    for (QWidget* word : {static_cast<QWidget*>(m_badge), static_cast<QWidget*>(m_time), static_cast<QWidget*>(m_of)})
        words->addWidget(word);
    auto* controls = new QHBoxLayout;
    for (QWidget* control : {static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_play),
                             static_cast<QWidget*>(m_forward), static_cast<QWidget*>(m_speed)})
        controls->addWidget(control);
    controls->addWidget(m_slider, 1);
    controls->addWidget(m_showSteps);
    controls->addWidget(m_excerpt);
    controls->addWidget(m_cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(words);
    layout->addWidget(m_caption);
    layout->addWidget(m_steps);
    layout->addLayout(controls);
    layout->addWidget(m_message);
}

void ReplayBar::retranslate() {
    nameControls();
    showTexts();
}

void ReplayBar::nameControls() {
    m_badge->set(tr("RECORDING, NOT LIVE"), recordingColor);
    m_back->setToolTip(helpTip(tr("To the moment before at which something was shown")));
    m_forward->setToolTip(helpTip(tr("To the next moment at which something was shown")));
    m_back->setAccessibleName(tr("Step back"));
    m_forward->setAccessibleName(tr("Step forward"));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(helpTip(tr("Seconds of the recording that are played in one second")));
    for (int i = 0; i < m_speed->count(); ++i)
        m_speed->setItemText(i, tr("%1×", "speed of a replay").arg(locale().toString(m_speed->itemData(i).toDouble())));
    m_showSteps->setText(tr("Commands"));
    m_showSteps->setToolTip(helpTip(tr("The commands of the trace that led to this moment")));
    m_excerpt->setText(tr("Save a part…"));
    m_excerpt->setToolTip(
        helpTip(tr("Save a part of the recording, or all of it, in another file, with names masked if you want")));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(helpTip(tr("Do not read the rest of the text, and close this page")));
    m_slider->setAccessibleName(tr("Time in the recording"));
    m_slider->setWhatsThis(helpTip(
        tr("The table, the details, the events and the timeline show what was known at this time of the recording.")));
}

// ---- what the replay says ----

void ReplayBar::showLoaded(const recording::RecordingInfo& info, const ReplayCourse& course) {
    constexpr int pagesInAll = 20;
    constexpr int stepsInASecond = 10;
    m_info = info;
    m_course = course;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, sliderValue(course, course.last) + 1);
    m_slider->setSingleStep(stepsInASecond);
    m_slider->setPageStep(std::max(stepsInASecond, m_slider->maximum() / pagesInAll));
    showCourse(course);
}

void ReplayBar::showCourse(const ReplayCourse& course) {
    m_course = course;
    if (m_dialog)
        m_dialog->setMoment(course.wall);
    const QSignalBlocker quiet(m_slider);
    if (!m_slider->isSliderDown())
        m_slider->setValue(course.position == course.last ? m_slider->maximum() : sliderValue(course, course.position));
    showTexts();
}

void ReplayBar::showLoading(int percent) {
    m_percent = percent;
    showTexts();
}

void ReplayBar::showTexts() {
    m_cancel->setVisible(!m_info && m_percent);
    m_play->setIcon(icon(m_course.isPlaying ? QStringLiteral("pause") : QStringLiteral("play")));
    m_play->setToolTip(helpTip(m_course.isPlaying ? tr("Pause") : tr("Play")));
    m_play->setAccessibleName(m_course.isPlaying ? tr("Pause") : tr("Play"));
    for (QWidget* control :
         {static_cast<QWidget*>(m_back), static_cast<QWidget*>(m_play), static_cast<QWidget*>(m_forward),
          static_cast<QWidget*>(m_speed), static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_excerpt)})
        control->setEnabled(m_info.has_value());
    m_caption->setText(m_course.caption.left(longestCaption));
    m_showSteps->setVisible(m_course.trace.has_value());
    const bool areStepsShown = m_course.trace && m_showSteps->isChecked();
    m_steps->setVisible(areStepsShown);
    if (areStepsShown)
        m_steps->showSteps(m_course.steps);
    m_caption->setVisible(!m_course.caption.isEmpty() && !areStepsShown);
    if (!m_info && m_percent)
        m_of->setText(tr("Reading %1: %2 %").arg(QFileInfo(m_engine.path()).fileName(), locale().toString(*m_percent)));
    if (!m_info)
        return;
    m_time->setText(momentText(m_course.wall));
    const QString subject = subjectOf(*m_info);
    const QString masked = m_info->experiment ? tr("%1, with ids masked") : tr("%1, with names and ids masked");
    m_of->setText(m_info->isMasked ? masked.arg(subject) : subject);
    if (const std::optional<Message> end = endMessage())
        m_message->setMessage(*end);
    else if (const std::optional<Message> trace = traceMessage())
        m_message->setMessage(*trace);
}

std::optional<Message> ReplayBar::traceMessage() const {
    if (!m_course.trace)
        return std::nullopt;
    return Message{Tone::Info, traceNotesText(*m_course.trace)};
}

std::optional<Message> ReplayBar::endMessage() const {
    const QString end = momentText(m_course.end.at);
    switch (m_course.end.kind) {
        case recording::FileEnd::Kind::Damaged:
            return Message{
                Tone::Warning,
                tr("The file is damaged behind byte %1: it is shown up to %2.").arg(m_course.end.offset).arg(end)};
        case recording::FileEnd::Kind::TooLarge:
            return Message{Tone::Warning,
                           tr("The file would take more memory behind byte %1 than any recording needs: it "
                              "is shown up to %2.")
                               .arg(m_course.end.offset)
                               .arg(end)};
        case recording::FileEnd::Kind::CutOff:
            return Message{Tone::Info,
                           tr("The file ends at byte %1 without the mark of an ended recording: it is shown up to %2.")
                               .arg(m_course.end.offset)
                               .arg(end)};
        case recording::FileEnd::Kind::Whole:
            break;
    }
    if (m_course.end.hasSkipped)
        return Message{Tone::Info,
                       tr("The file has entries of a newer version of Lockkeeper: they are left out. Open it "
                          "with that version to see them.")};
    return std::nullopt;
}

// ---- what the user asks for ----

double ReplayBar::speed() const {
    return m_speed->currentData().toDouble();
}

void ReplayBar::togglePlay() {
    if (m_course.isPlaying)
        return m_engine.pause();
    if (m_course.position == m_course.last)
        m_engine.seek(m_course.first);
    m_engine.play(speed());
}

void ReplayBar::seekTo(int value) {
    m_engine.seek(value == m_slider->maximum() ? m_course.last : m_course.first + value * sliderUnit);
}

void ReplayBar::askForExcerpt() {
    if (!m_dialog)
        m_dialog = new ExcerptDialog(m_engine.source(), m_engine.files(), *m_info, m_course, this);
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

}  // namespace lockkeeper::ui

#include "moc_replaybar.cpp"
