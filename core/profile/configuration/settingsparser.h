// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/configuration/settings.h"

#include <QHash>

namespace lockkeeper::profile {

// Settings that a file has only as a comment.
struct CommentedSettings {
    QHash<QString, int> whole;   // comparableName() of a setting -> its line
    QHash<QString, int> values;  // of one whose value is behind the '#'
};

// A text: its documents, each as a group of settings or whatever else it is.
struct ParsedSettings {
    QList<SettingValue> documents;  // those without a content are left out
    CommentedSettings commented;
    qsizetype count = 0;  // of settings, about
};

constexpr qsizetype largestRedissonFile = 1 << 18;  // bytes

// The bytes as text with line feeds, without a byte order mark. Errors: InvalidArgument with TooLarge or NotText.
enum class Encoding { Utf8, Utf8OrLatin1 };  // Java's properties were Latin-1 once
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<QString> settingsText(const QByteArray& bytes,
                                                                     Encoding encoding = Encoding::Utf8);
// A line for a message: its number and, unless it is of the file that was opened, the name of its file.
[[nodiscard]] QString lineText(int line, const QString& file);
// YAML, or JSON with comments. text: as settingsText() returns it. file: its name, empty for the one that was opened.
// before: how many lines of the file are before it. Aliases are not expanded, so the text's size bounds time and
// memory. Errors: InvalidArgument with Syntax, OpenQuote, TooDeep, TooManySettings or TooManyDocuments.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ParsedSettings> parseYaml(const QString& text, const QString& file = {},
                                                                         int before = 0);
// Java's properties; a line #--- begins the next document. Any text can be read, unless it has too much.
[[nodiscard]] Result<ParsedSettings> parseProperties(const QString& text, const QString& file = {});

}  // namespace lockkeeper::profile
