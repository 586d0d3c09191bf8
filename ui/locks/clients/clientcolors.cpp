// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/clients/clientcolors.h"

#include "monitor/model/monitorbatch.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <array>

namespace lockkeeper::ui {

namespace {

// Found by a search for the eight colors that are farthest apart for normal sight, protanopia and deuteranopia, with a
// contrast of 3 and more on Base and Window; in an order in which neighbours differ most. tst_clientcolors measures
// both.
constexpr std::array<QRgb, ClientColors::colors> onLight = {0x1010f9, 0x8b0404, 0x254293, 0x259351,
                                                            0xdd35e9, 0x024a50, 0xa58812, 0xd65c9d};
constexpr std::array<QRgb, ClientColors::colors> onDark = {0xdb06b0, 0x94db06, 0x048b70, 0x386cfa,
                                                           0xfc9cc2, 0xe72323, 0x24b2f9, 0xdebe7c};

QPainterPath clientShape(int shape, const QRectF& box) {
    QPainterPath path;
    switch (shape) {
        case 0:
            path.addEllipse(box);
            break;
        case 1:
            path.addRect(box.adjusted(1, 1, -1, -1));
            break;
        case 2:
            path.addPolygon(QPolygonF({box.bottomLeft(), box.bottomRight(), QPointF(box.center().x(), box.top())}));
            path.closeSubpath();
            break;
        default:
            path.addPolygon(
                QPolygonF({QPointF(box.center().x(), box.top()), QPointF(box.right(), box.center().y()),
                           QPointF(box.center().x(), box.bottom()), QPointF(box.left(), box.center().y())}));
            path.closeSubpath();
    }
    return path;
}

class ClientIconEngine final : public QIconEngine {
public:
    explicit ClientIconEngine(int index) : m_index(index) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const QPalette palette = QGuiApplication::palette();
        const qreal side = std::min(rect.width(), rect.height()) * 0.66;
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        // On the highlight of a selected row the outline keeps the shape visible.
        painter->setPen(mode == QIcon::Selected ? QPen(palette.color(QPalette::HighlightedText)) : QPen(Qt::NoPen));
        painter->setBrush(clientColor(palette, m_index));
        painter->drawPath(clientShape(m_index / ClientColors::colors, box));
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return drawn;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new ClientIconEngine(m_index); }

private:
    int m_index;
};

}  // namespace

void ClientColors::note(const monitor::LockSnapshot& lock) {
    for (const monitor::Holder& holder : lock.holders)
        note(holder.id.client());
    for (const monitor::FairWaiter& waiter : lock.fairQueue)
        note(waiter.id.client());
}

void ClientColors::note(const std::vector<monitor::LockEvent>& events) {
    for (const monitor::LockEvent& event : events) {
        if (event.holder)
            note(event.holder->id.client());
        note(event.lock);
    }
}

void ClientColors::note(const monitor::MonitorBatch& batch) {
    note(batch.events);
    for (const monitor::SharedRow& row : batch.changed)
        note(row->lock);
}

void ClientColors::note(const ClientId& client) {
    if (m_order.size() < rememberedAtMost && !m_order.contains(client))
        m_order.insert(client, static_cast<int>(m_order.size()));
}

int ClientColors::of(const ClientId& client) const {
    const auto known = m_order.constFind(client);
    // Not qHash(): that may differ between versions of Qt and kinds of processors.
    const int order = known == m_order.cend() ? qChecksum(client.bytes()) : *known;
    return order % (colors * shapes);
}

QColor clientColor(const QPalette& palette, int index) {
    const auto place = static_cast<size_t>(index) % ClientColors::colors;
    return QColor::fromRgb(palette.color(QPalette::Base).lightness() < 128 ? onDark[place] : onLight[place]);
}

QIcon clientIcon(int index) {
    return QIcon(new ClientIconEngine(index));
}

}  // namespace lockkeeper::ui
