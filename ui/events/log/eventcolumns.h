// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QTableView;

namespace lockkeeper::ui {

// The widths of the columns of the event log: as the usual texts need it. Where there is little room, names and ids
// are cut, so that what happened is in sight. The widths stay once the reader has changed one of them.
class EventColumns final : public QObject {
    Q_OBJECT
public:
    // view: becomes the parent; its model is set already.
    explicit EventColumns(QTableView& view);

    // Makes room for the longest usual texts in the present language.
    void widen();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();

    QTableView& m_view;
    int m_lockWidth = 1;  // where there is room
    int m_holderWidth = 1;
    bool m_isFitting = false;  // widths are changed here, not by the reader
    bool m_areChosen = false;  // by the reader
};

}  // namespace lockkeeper::ui
