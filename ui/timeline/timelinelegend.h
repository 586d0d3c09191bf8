// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QPainter;

namespace lockkeeper::ui {

// Every sign of a timeline with its meaning, drawn as in a lane. A popup: it closes with the next click or Escape.
class TimelineLegend final : public QFrame {
    Q_OBJECT
public:
    explicit TimelineLegend(QWidget* parent);

    [[nodiscard]] QSize sizeHint() const override;
    // The meanings, from the top.
    [[nodiscard]] static QStringList meanings();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void retranslate();
    void paintSign(QPainter& painter, int sign, const QRect& place) const;
};

}  // namespace lockkeeper::ui
