// SPDX-License-Identifier: Apache-2.0
#include "ui/base/icons.h"

#include "ui/base/tonecolors.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QImageReader>
#include <QPainter>
#include <QPixmapCache>

// A static library's resources are dropped by the linker unless somebody names them, from outside any namespace.
static void initializeResources() {
    Q_INIT_RESOURCE(lockkeeper);
}

namespace lockkeeper::ui {

namespace {

QColor colorFor(Tone tone, QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled)
        return palette.color(QPalette::Disabled, QPalette::WindowText);
    if (mode == QIcon::Selected)
        return palette.color(QPalette::HighlightedText);
    return toneColor(palette, tone);
}

QString fileOf(const QString& name) {
    return QStringLiteral(":/lockkeeper/icons/%1.svg").arg(name);
}

// Rendered by Qt's SVG plugin, which is needed at run time only. Empty without it: every icon stands beside or behind
// a text.
QImage rendered(const QString& file, int side) {
    QImageReader reader(file);
    reader.setScaledSize(QSize(side, side));
    return reader.read();
}

class TintedIconEngine final : public QIconEngine {
public:
    TintedIconEngine(QString file, Tone tone) : m_file(std::move(file)), m_tone(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap drawn = pixmap((QSizeF(rect.size()) * ratio).toSize(), mode, state);
        drawn.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect.topLeft(), drawn);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        const QColor color = colorFor(m_tone, mode);
        const QString key =
            QStringLiteral("%1/%2x%3/%4").arg(m_file).arg(size.width()).arg(size.height()).arg(color.rgba());
        QPixmap drawn;
        if (!QPixmapCache::find(key, &drawn)) {
            drawn = draw(size, color);
            QPixmapCache::insert(key, drawn);
        }
        return drawn;
    }

    [[nodiscard]] QIconEngine* clone() const override { return new TintedIconEngine(m_file, m_tone); }

private:
    [[nodiscard]] QPixmap draw(const QSize& size, const QColor& color) const {
        const int side = std::min(size.width(), size.height());
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        painter.drawImage((size.width() - side) / 2, (size.height() - side) / 2, rendered(m_file, side));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(drawn.rect(), color);
        return drawn;
    }

    QString m_file;
    Tone m_tone;
};

}  // namespace

QIcon icon(const QString& name, Tone tone) {
    initializeResources();
    return QIcon(new TintedIconEngine(fileOf(name), tone));
}

QIcon applicationIcon() {
    initializeResources();
    QIcon result;
    for (const int side : {16, 24, 32, 48, 64, 128, 256})
        result.addPixmap(QPixmap::fromImage(rendered(fileOf(QStringLiteral("lockkeeper")), side)));
    return result;
}

}  // namespace lockkeeper::ui
