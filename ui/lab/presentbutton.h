// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QPushButton>

class QSplitter;

namespace lockkeeper::ui {

// While it is pressed, a page is for a projector: its type is large, and the column of its texts is as much wider.
// While that page is in front, so is the type of the window's menus and tool bar.
class PresentButton final : public QPushButton {
    Q_OBJECT
public:
    // columns: those of the page, the texts first. Both outlive the button.
    PresentButton(QWidget& page, QSplitter& columns);

protected:
    bool eventFilter(QObject* page, QEvent* event) override;

private:
    void retranslate();
    void present(bool isLarge);
    void fitWindow(bool isLarge) const;

    QWidget& m_page;
    QSplitter& m_columns;
    QList<int> m_sizes;  // of the columns, before it was pressed
};

}  // namespace lockkeeper::ui
