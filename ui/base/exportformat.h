// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

#include <optional>

namespace lockkeeper::ui {

enum class ExportFormat { Csv, JsonLines, Png, Markdown };

// "csv", without the dot.
[[nodiscard]] QString suffixOf(ExportFormat format);
// "CSV, for spreadsheets (*.csv)"
[[nodiscard]] QString nameFilterOf(ExportFormat format);
// The format that the suffix of the file names; nothing for any other suffix.
[[nodiscard]] std::optional<ExportFormat> formatOfFile(const QString& path);

// The preferred folder for files of the user; if it is gone, or a server or container has none, another one that
// exists.
[[nodiscard]] QString folderForFiles(const QString& preferred = {});
// "lockkeeper-locks-redis.example.com-6379-0-20260131-120000.csv"; has no character that a file system refuses.
[[nodiscard]] QString exportFileName(const QString& what, const QString& server, const QString& time,
                                     ExportFormat format);

}  // namespace lockkeeper::ui
