// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QScrollArea>

namespace lockkeeper::ui {

// A part of a dialog that is as high as it needs while there is room, and scrolls when there is not. The widget with
// the keyboard focus is scrolled into sight.
class TallArea final : public QScrollArea {
    Q_OBJECT
public:
    // The content has a layout; the area owns it.
    explicit TallArea(QWidget& content, QWidget* parent = nullptr);

    // The least width, in heights of a line, if the content needs no more; less on a screen that is not so wide.
    void setUsualWidth(int lineHeights);

    // Takes over at once what has changed in the content; otherwise the next event does so.
    void measure();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int barWidth() const;
    [[nodiscard]] int leastWidth() const;

    int m_usualWidth = 0;
};

}  // namespace lockkeeper::ui
