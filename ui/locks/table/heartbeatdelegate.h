// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/table/pictureddelegate.h"

namespace lockkeeper::ui {

// Paints a Heartbeat and the number of renewals behind it. A cell that is too narrow for both has the number alone.
class HeartbeatDelegate final : public PicturedDelegate {
    Q_OBJECT
public:
    using PicturedDelegate::PicturedDelegate;

    // The width of a cell with this number and the smallest picture.
    [[nodiscard]] static int closeWidth(const QFontMetrics& metrics, const QString& number);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace lockkeeper::ui
