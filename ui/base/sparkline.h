// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

namespace lockkeeper::ui {

// A title, the present value in large figures beside it, and below them the line of its last values. Painted again only
// when one of them has changed.
class Sparkline final : public QWidget {
    Q_OBJECT
public:
    explicit Sparkline(QWidget* parent = nullptr);

    void describe(const QString& title, const QString& help);
    // value: of now, in words; values: see OverviewHistory::series(), at most so many.
    void show(const QString& value, std::vector<std::optional<double>> values, size_t most);
    using QWidget::show;
    [[nodiscard]] const QString& value() const noexcept { return m_value; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void nameValue();
    [[nodiscard]] double highest() const;
    void paintLine(QPainter& painter, const QRectF& place) const;

    QString m_title;
    QString m_value;
    std::vector<std::optional<double>> m_values;
    size_t m_most = 1;
};

}  // namespace lockkeeper::ui
