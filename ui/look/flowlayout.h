// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>

namespace lockkeeper::ui {

// Widgets side by side, in further lines where the first has no room: it never needs more width than its widest widget.
class FlowLayout final : public QLayout {
public:
    // Without a parent: added to another layout.
    explicit FlowLayout(int gap);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    // All in one line.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& place) override;

private:
    enum class Arrange { Measure, Move };

    // The height.
    int arrange(const QRect& place, Arrange what) const;

    QList<QLayoutItem*> m_items;
    const int m_gap;
};

}  // namespace lockkeeper::ui
