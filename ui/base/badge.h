// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QFrame>

class QLabel;

namespace lockkeeper::ui {

// A short text on a background of its own color, which is the same in every theme. Hidden while it has no text.
class Badge final : public QFrame {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);

    // background: without a color the badge has a frame instead.
    void set(const QString& text, const QColor& background);
    [[nodiscard]] QString text() const;
    [[nodiscard]] const QColor& background() const noexcept { return m_background; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor m_background;
    QLabel* m_text;
};

// Black or white, whichever reads better on it.
[[nodiscard]] QColor textColorOn(const QColor& background);

}  // namespace lockkeeper::ui
