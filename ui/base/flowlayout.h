// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLayout>

#include <vector>

namespace lockkeeper::ui {

// Widgets side by side, in further lines where the first has no room: it never needs more width than its widest widget.
// In a place that is higher than it needs, they are centred.
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
    // Items side by side.
    struct Line {
        QList<QLayoutItem*> items;
        QSize size{0, 0};
    };

    [[nodiscard]] std::vector<Line> linesFor(int width) const;
    [[nodiscard]] int heightOf(const std::vector<Line>& lines) const;

    QList<QLayoutItem*> m_items;
    const int m_gap;
};

}  // namespace lockkeeper::ui
