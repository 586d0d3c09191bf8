// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/help/manualsearch.h"

#include <QWidget>

class QAction;
class QLineEdit;
class QListWidget;
class QListWidgetItem;
class QTextBrowser;

namespace lockkeeper::ui {

// The manual in a window of its own: the pages or what the search has found on the left, the text on the right.
// Works offline; only links to web sites leave the program.
class ManualWindow final : public QWidget {
    Q_OBJECT
public:
    explicit ManualWindow(QWidget* parent = nullptr);

    // place: "page.md" or "page.md#anchor".
    void showPlace(const QString& place);

protected:
    // Down in the search box leads to the list.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void makeLayout();
    void retranslate();
    void listPages();
    void listHits();
    void fillList();
    void openItem(const QListWidgetItem* item);
    void openFirstHit();
    void clearSearchOrClose();
    void finishPage(const QUrl& url);
    void markHeadings();
    void showTables();
    void fitPictures();
    void showCode();
    void highlightWords();
    [[nodiscard]] QStringList words() const;

    ManualSearch m_search;
    QAction* m_back;
    QAction* m_forward;
    QAction* m_find;
    QLineEdit* m_words;
    QListWidget* m_list;
    QTextBrowser* m_page;
    QUrl m_shown;  // the browser's own source() still names the page before while it reports a change
};

}  // namespace lockkeeper::ui
