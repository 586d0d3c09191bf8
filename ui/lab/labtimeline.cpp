// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labtimeline.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/base/tonecolors.h"
#include "ui/lab/labwords.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int mostLanes = 10;
constexpr int arrowHead = 4;

QString nameOf(const lab::LabActor& actor) {
    return QString::fromUtf8(actor.name.bytes());
}

}  // namespace

std::vector<qsizetype> labelledFrames(qsizetype shown, qsizetype current, int labelWidth,
                                      const std::function<int(qsizetype)>& placeOf) {
    std::vector<qsizetype> frames;
    int free = placeOf(0);
    for (qsizetype frame = 0; frame < shown; ++frame) {
        const int left = placeOf(frame);
        const bool hasRoom = left >= free && (frame > current || left + labelWidth <= placeOf(current));
        if (!hasRoom && frame != current)
            continue;
        frames.push_back(frame);
        free = left + labelWidth;
    }
    return frames;
}

LabTimeline::LabTimeline(const LabRecording& recording, QWidget* parent) : QWidget(parent), m_recording(recording) {
    setObjectName(QStringLiteral("labTimeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    keepTranslated(*this, [this] { retranslate(); });
}

void LabTimeline::retranslate() {
    setAccessibleName(tr("When each actor waits and holds"));
    setToolTip(helpTip(tr(
        "A full bar: it holds a lock. A thin one: it waits. Outlined: another one holds it, too. Hatched: frozen or cut "
        "off from all. An arrow: a message that wakes who waits; without a beginning, one by hand. Below: the time of a "
        "moment, since the first step.")));
}

void LabTimeline::showFrame(qsizetype frame, qsizetype shown, const std::vector<lab::LockId>& shared) {
    m_frame = frame;
    m_shown = shown;
    m_shared = shared;
    m_messages = messagesOf(m_recording);
    std::erase_if(m_messages, [shown](const LabMessage& message) { return message.frame >= shown; });
    if (sizeHint().height() != height())
        updateGeometry();  // the recording may have its actors only now
    update();
}

QSize LabTimeline::sizeHint() const {
    const int lanes = m_recording.isEmpty() ? 1 : static_cast<int>(m_recording.at(0).actors.size());
    return {200, laneHeight() * std::clamp(lanes, 1, mostLanes) + 4 + fontMetrics().height()};
}

int LabTimeline::laneHeight() const {
    const bool isCrowded = !m_recording.isEmpty() && m_recording.at(0).actors.size() > 3;
    return isCrowded ? fontMetrics().height() : fontMetrics().height() + 4;
}

int LabTimeline::namesWidth() const {
    return fontMetrics().horizontalAdvance(QStringLiteral("MMM"));
}

int LabTimeline::leftOf(qsizetype frame) const {
    const int width = this->width() - namesWidth();
    return namesWidth() + static_cast<int>(frame * width / std::max<qsizetype>(m_recording.size(), 1));
}

bool LabTimeline::isContested(qsizetype frame, const lab::LabThread& thread) const {
    return thread.doing == lab::LabThread::Doing::Holds && m_recording.holdersAt(frame, thread.lock) > 1 &&
           std::ranges::find(m_shared, thread.lock) == m_shared.end();
}

void LabTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (m_recording.isEmpty())
        return;
    const QRect now(leftOf(m_frame), 0, std::max(leftOf(m_frame + 1) - leftOf(m_frame), 2), height());
    painter.fillRect(now, mixed(palette().color(QPalette::Base), palette().color(QPalette::Highlight), 0.35));
    for (qsizetype frame = 0; frame < m_shown; ++frame) {
        int top = 2;
        for (const lab::LabActor& actor : m_recording.at(frame).actors) {
            paintActor(painter, frame, actor,
                       QRect(leftOf(frame), top, leftOf(frame + 1) - leftOf(frame), laneHeight()));
            top += laneHeight();
        }
    }
    paintMessages(painter);
    paintTimes(painter);
    int top = 2;
    painter.setPen(palette().color(QPalette::Text));
    for (const lab::LabActor& actor : m_recording.at(m_frame).actors) {
        painter.drawText(QRect(4, top, namesWidth() - 4, laneHeight()), Qt::AlignVCenter, nameOf(actor));
        top += laneHeight();
    }
}

// Held: a full bar. Waiting: a thin bar. Frozen or cut off: hatched. Crashed: the bar ends.
void LabTimeline::paintActor(QPainter& painter, qsizetype frame, const lab::LabActor& actor, const QRect& cell) const {
    const QColor line = mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.25);
    if (actor.hasCrashed)
        return;
    const QRect bar = cell.adjusted(0, 3, 0, -3);
    painter.fillRect(QRect(bar.left(), bar.center().y(), bar.width(), 1), line);
    for (const lab::LabThread& thread : actor.threads) {
        const bool holds = thread.doing == lab::LabThread::Doing::Holds;
        const bool isContested = this->isContested(frame, thread);
        const QColor color = toneColor(palette(), isContested ? Tone::Danger : holds ? Tone::Good : Tone::Warning);
        if (holds)
            painter.fillRect(bar, mixed(palette().color(QPalette::Base), color, 0.55));
        else
            painter.fillRect(QRect(bar.left(), bar.center().y() - 1, bar.width(), 3), color);
        if (!isContested)
            continue;
        painter.fillRect(QRect(bar.left(), bar.top(), bar.width(), 2), color);
        painter.fillRect(QRect(bar.left(), bar.bottom() - 1, bar.width(), 2), color);
    }
    if (actor.isFrozen || actor.isCutOff)
        painter.fillRect(bar, QBrush(toneColor(palette(), Tone::Quiet), Qt::BDiagPattern));
}

void LabTimeline::paintMessages(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Text));
    painter.setBrush(palette().color(QPalette::Text));
    for (auto first = m_messages.begin(); first != m_messages.end();) {
        const auto end =
            std::find_if(first, m_messages.end(), [&](const LabMessage& one) { return one.frame != first->frame; });
        // Messages of the same frame stand side by side.
        const int left = leftOf(first->frame);
        const auto room = leftOf(first->frame + 1) - left;
        const auto parts = static_cast<int>(end - first) + 1;
        for (int part = 1; first != end; ++first, ++part)
            paintMessage(painter, *first, left + room * part / parts);
    }
}

void LabTimeline::paintMessage(QPainter& painter, const LabMessage& message, int x) const {
    const auto middle = [this](int lane) { return 2 + lane * laneHeight() + laneHeight() / 2; };
    const int begin = message.from ? middle(*message.from) : 0;
    const int end = middle(message.to);
    const int back = end > begin ? -arrowHead : arrowHead;
    painter.drawLine(x, begin, x, end + back);
    painter.drawPolygon(
        QPolygon({QPoint(x, end), QPoint(x - arrowHead + 1, end + back), QPoint(x + arrowHead - 1, end + back)}));
    if (message.from)
        painter.drawEllipse(QPoint(x, begin), 2, 2);
}

void LabTimeline::paintTimes(QPainter& painter) const {
    if (m_shown == 0)
        return;
    const auto textOf = [this](qsizetype frame) { return labTimeText(m_recording.at(frame).moment.at); };
    const int width = fontMetrics().horizontalAdvance(textOf(m_shown - 1) + u' ');  // the widest: that of the latest
    const auto placeOf = [this, width](qsizetype frame) { return std::min(leftOf(frame), this->width() - width); };
    const int top = height() - fontMetrics().height();
    for (const qsizetype frame : labelledFrames(m_shown, m_frame, width, placeOf)) {
        painter.setPen(frame == m_frame ? palette().color(QPalette::Text) : toneColor(palette(), Tone::Quiet));
        painter.drawLine(leftOf(frame), top - 2, leftOf(frame), top + 2);
        painter.drawText(QRect(placeOf(frame), top, width, fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter,
                         textOf(frame));
    }
}

void LabTimeline::mousePressEvent(QMouseEvent* event) {
    choose(event->position().toPoint().x());
}

void LabTimeline::mouseMoveEvent(QMouseEvent* event) {
    choose(event->position().toPoint().x());
}

void LabTimeline::choose(int x) {
    const int width = std::max(this->width() - namesWidth(), 1);
    const qsizetype frame = (x - namesWidth()) * m_recording.size() / width;
    if (!m_recording.isEmpty())
        Q_EMIT frameChosen(static_cast<int>(std::clamp<qsizetype>(frame, 0, m_recording.size() - 1)));
}

}  // namespace lockkeeper::ui

#include "moc_labtimeline.cpp"
