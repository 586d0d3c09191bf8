// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"

#include <QStyledItemDelegate>

namespace lockkeeper::ui {

class ConnectionModel;

// Draws a connection as a card: a bar of its color, its name, environment, server and last use; a heading as a title.
class ConnectionDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    // The model outlives it, and is that of the view.
    ConnectionDelegate(const ConnectionModel& model, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void drawCard(QPainter& painter, const QStyleOptionViewItem& option, const profile::StoredProfile& stored) const;
    [[nodiscard]] QString useText(const profile::StoredProfile& stored) const;

    const ConnectionModel& m_model;
};

}  // namespace lockkeeper::ui
