// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace lockkeeper::ui {

enum class Tone;

// A cell with a picture of its own in front of a text. Its subclass paints both: this one does not ask the model for
// the text, which would be made a second time.
class PicturedDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    // Of both, beside the edges of the cell.
    static constexpr int padding = 6;

    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    // The background, selection and focus. Returns the option with the cell's font.
    QStyleOptionViewItem paintCell(QPainter& painter, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) const;
    // Of what is painted in a cell, which may be selected.
    [[nodiscard]] static QColor colorOf(const QStyleOptionViewItem& cell, Tone tone);
    [[nodiscard]] static QColor textColorOf(const QStyleOptionViewItem& cell);
};

}  // namespace lockkeeper::ui
