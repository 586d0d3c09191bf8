// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QWidget>

namespace lockkeeper::ui {

// Shows an icon beside a text, in the present palette's colors also after the theme changed (a QLabel keeps the old
// pixmap). Says nothing to a screen reader: the text beside it does.
class IconLabel final : public QWidget {
    Q_OBJECT
public:
    // side: logical pixels.
    explicit IconLabel(int side, QWidget* parent = nullptr);

    void setIcon(const QIcon& icon);
    [[nodiscard]] QSize sizeHint() const override { return {m_side, m_side}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_side;
    QIcon m_icon;
};

}  // namespace lockkeeper::ui
