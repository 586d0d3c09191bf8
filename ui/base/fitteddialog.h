// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QLayout;

class QAbstractButton;

namespace lockkeeper::ui {

class TallArea;

// A dialog that fits on its screen, whatever the font. It is as large as its texts need, and grows when they need more
// while it is open. It never shrinks by itself: what the reader has under the pointer stays there. Where the screen has
// no room for all of it, its content scrolls and the buttons stay in sight.
class FittedDialog : public QDialog {
    Q_OBJECT
public:
    void setVisible(bool visible) override;

protected:
    explicit FittedDialog(QWidget* parent);

    // The layout of a dialog whose parts cannot become smaller; one with a list or a table has a layout of its own.
    // fixed: what never scrolls, below the content.
    void setContent(QLayout* content, const QList<QWidget*>& fixed);
    // The least width of the content, in heights of a line; less on a screen that is not so wide.
    void setUsualWidth(int lineHeights);
    // Makes the dialog as low as its texts allow, after the reader has folded a part of it.
    void shrinkToFit();
    // Enter leads to the next field, and presses the button that has the focus, but never this one, which needs a click
    // or Space.
    void guard(QAbstractButton& dangerous) { m_guarded = &dangerous; }
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] int neededHeight();
    [[nodiscard]] QSize frame() const;
    void setHeight(int wanted);
    void moveOntoScreen();
    void growToFit();

    TallArea* m_content = nullptr;
    QAbstractButton* m_guarded = nullptr;
    int m_needed = 0;  // height of what is shown
};

}  // namespace lockkeeper::ui
