// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QUrl>

class QTextDocument;
class QWidget;

namespace lockkeeper::ui {

// The manual is a folder of Markdown files, resources/manual, that the program carries with it. A place in it is
// "page.md" or "page.md#anchor".
struct ManualPage {
    QString file;
    QString title;  // its first heading
};

// In reading order; the first one is the table of contents. Reads every file.
[[nodiscard]] QList<ManualPage> manualPages();
[[nodiscard]] QUrl manualUrl(const QString& place);
// Lays a page out as the manual's window shows it.
void readManualPage(const QString& file, QTextDocument& document);
// The anchor of a heading as sites that show Markdown make it: lower case, hyphens for spaces, no punctuation.
[[nodiscard]] QString anchorOf(const QString& heading);

// Which place explains the widget of an object name.
struct ManualTopic {
    QString objectName;
    QString place;
};
[[nodiscard]] const QList<ManualTopic>& manualTopics();
// The place for the widget, or for the nearest widget around it that has one; the table of contents when none has.
[[nodiscard]] QString manualPlaceOf(const QWidget* widget);

}  // namespace lockkeeper::ui
