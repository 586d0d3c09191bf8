// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QTableView;

namespace lockkeeper::ui {

// How wide the columns of the event log are: for their usual texts, and where there is little room, names and ids are cut, so
// that what happened is in sight. Until the reader changes one of them.
class EventColumns final : public QObject {
    Q_OBJECT
public:
    // The parent, with its model set.
    explicit EventColumns(QTableView& view);

    // For the longest usual texts in the present language.
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
