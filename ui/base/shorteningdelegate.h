// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace lockkeeper::ui {

// Paints the short text of a cell where the usual one does not fit. Beyond that it is cut.
class ShorteningDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    // cut: where the text is cut that does not fit, either. shortRole: of the model, where it keeps the short text.
    ShorteningDelegate(Qt::TextElideMode cut, int shortRole, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    const Qt::TextElideMode m_cut;
    const int m_shortRole;
};

// How wide a cell is that has no more room than its text needs; icon: whether it has one before the text.
[[nodiscard]] int closeWidth(const QWidget& view, const QString& text, bool icon);

}  // namespace lockkeeper::ui
