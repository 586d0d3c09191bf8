// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/ttlbar.h"
#include "ui/locks/table/pictureddelegate.h"

namespace lockkeeper::ui {

// Paints a TtlBar: a track with what is left of the lease, and beside it the time in figures. Each kind differs by
// its shape and its words, not by its color alone. Asks the model for the bar once a paint, and for the short text
// where the usual one does not fit.
class TtlDelegate final : public PicturedDelegate {
    Q_OBJECT
public:
    using PicturedDelegate::PicturedDelegate;

    // Where the bar and the text go in a cell of that size and font; a bar has no place in a cell too narrow for both.
    struct Layout {
        QRect bar;
        QRect text;
    };
    [[nodiscard]] static Layout layout(const QRect& cell, const QFontMetrics& metrics);
    // The width of a cell without a bar that has no more room than this text needs.
    [[nodiscard]] static int closeWidth(const QFontMetrics& metrics, const QString& text);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    [[nodiscard]] static QColor textColor(const QStyleOptionViewItem& cell, TtlBar::Kind kind);
};

}  // namespace lockkeeper::ui
