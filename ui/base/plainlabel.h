// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QInputDialog;
class QLabel;
class QMessageBox;
class QWidget;

namespace lockkeeper::ui {

// Labels and dialogs that show their text as it is. Qt's own guess whether a text is HTML, and a name like
// <img src="/some/file"> would have the file read: what a server, a file or the clipboard says must never be markup.
// The test `layers_plain_text` keeps the rest of ui/ from making its own.
[[nodiscard]] QLabel* plainLabel(QWidget* parent);
[[nodiscard]] QLabel* plainLabel(const QString& text, QWidget* parent);
// Stands in the place of a panel's table while that has no rows.
[[nodiscard]] QLabel* emptyPanelLabel(QWidget* parent);
[[nodiscard]] QMessageBox* plainMessageBox(QWidget* parent);
// Makes the label text of the dialog plain; to be called once the dialog has it.
void makePlain(QInputDialog& dialog);
// The one exception: html of the program's own, with links that open in a browser.
[[nodiscard]] QLabel* linksLabel(const QString& html, QWidget* parent);

}  // namespace lockkeeper::ui
