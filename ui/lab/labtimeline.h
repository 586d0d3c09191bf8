// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labmessages.h"
#include "ui/lab/labrecording.h"

#include <QWidget>

#include <functional>

namespace lockkeeper::ui {

// Which of the first `shown` frames have room for a label of this width at their places, so that no two labels
// overlap. The current frame always has room, then the others from left to right. In ascending order.
[[nodiscard]] std::vector<qsizetype> labelledFrames(qsizetype shown, qsizetype current, int labelWidth,
                                                    const std::function<int(qsizetype)>& placeOf);

// A lane for each actor, over the moments from the first to the last: when it waits, holds, is frozen and crashes.
// More than one holder of a lock is outlined, and a message is an arrow. Below is the time of each moment, where
// there is room. Each moment has the same width, however long it lasts. A click goes to a moment.
class LabTimeline final : public QWidget {
    Q_OBJECT
public:
    // The recording outlives it.
    explicit LabTimeline(const LabRecording& recording, QWidget* parent = nullptr);

    // shown: how many frames are painted; there is room for all. shared: locks that may have several holders.
    void showFrame(qsizetype frame, qsizetype shown, const std::vector<lab::LockId>& shared);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void frameChosen(int frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void retranslate();
    void paintActor(QPainter& painter, qsizetype frame, const lab::LabActor& actor, const QRect& cell) const;
    void paintMessages(QPainter& painter) const;
    void paintMessage(QPainter& painter, const LabMessage& message, int x) const;
    void paintTimes(QPainter& painter) const;
    void choose(int x);
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int namesWidth() const;
    [[nodiscard]] int leftOf(qsizetype frame) const;
    [[nodiscard]] bool isContested(qsizetype frame, const lab::LabThread& thread) const;

    const LabRecording& m_recording;
    qsizetype m_frame = 0;
    qsizetype m_shown = 0;
    std::vector<lab::LockId> m_shared;
    std::vector<LabMessage> m_messages;
};

}  // namespace lockkeeper::ui
