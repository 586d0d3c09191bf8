// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

#include <functional>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace lockkeeper::ui {

// One subject of the settings. Its fields apply a change themselves.
struct SettingsPage {
    std::function<QString()> title;
    QWidget* fields = nullptr;
    std::function<void()> reset;  // to what it was before any change; nothing: it has no such state
};

// All settings in one place: pages, a search over their fields, and a button that resets a page.
class SettingsDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(QWidget* parent = nullptr);

    // Takes the fields; the first page is shown.
    void addPage(const SettingsPage& page);
    // Shows the page whose fields have this objectName.
    void showPageWith(const QString& fields);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeLayout();
    void retranslate();
    // Lists the pages in which every word typed is found, and marks the fields that have one.
    void search(const QString& text);
    void showPage(int index);

    QList<SettingsPage> m_pages;
    QLineEdit* m_search;
    QListWidget* m_list;
    QStackedWidget* m_stack;
    QLabel* m_title;
    QLabel* m_nothing;
    QPushButton* m_reset;
    QPushButton* m_close;
};

}  // namespace lockkeeper::ui
