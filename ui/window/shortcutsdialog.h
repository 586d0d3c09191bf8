// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

class QAction;
class QLabel;
class QLineEdit;
class QMainWindow;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

// Every key of a window, by menu: read from its actions, so that none is missing and none is wrong.
class ShortcutsDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(QMainWindow& window);

private:
    void makeLayout();
    void retranslate();
    void fill();
    void addMenus();
    // Adds the keys that no menu has, such as those of the list of connections.
    void addOthers();
    void addRow(const QString& group, const QString& text, const QAction& action);
    [[nodiscard]] QTreeWidgetItem* groupOf(const QString& title);
    void search();

    QMainWindow& m_window;
    QLineEdit* m_search;
    QTreeWidget* m_keys;
    QLabel* m_more;
};

}  // namespace lockkeeper::ui
