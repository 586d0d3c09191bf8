// SPDX-License-Identifier: Apache-2.0
#include "ui/base/exportformat.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace lockkeeper::ui {

namespace {

struct ExportWords {
    Q_DECLARE_TR_FUNCTIONS(ExportWords)
};

constexpr qsizetype longestServer = 60;  // characters

}  // namespace

QString suffixOf(ExportFormat format) {
    switch (format) {
        case ExportFormat::Csv:
            return QStringLiteral("csv");
        case ExportFormat::JsonLines:
            return QStringLiteral("jsonl");
        case ExportFormat::Png:
            return QStringLiteral("png");
        case ExportFormat::Markdown:
            return QStringLiteral("md");
    }
    return {};
}

QString nameFilterOf(ExportFormat format) {
    switch (format) {
        case ExportFormat::Csv:
            return ExportWords::tr("CSV, for spreadsheets (*.csv)");
        case ExportFormat::JsonLines:
            return ExportWords::tr("JSON, one object a line (*.jsonl)");
        case ExportFormat::Png:
            return ExportWords::tr("PNG picture (*.png)");
        case ExportFormat::Markdown:
            return ExportWords::tr("Markdown (*.md)");
    }
    return {};
}

std::optional<ExportFormat> formatOfFile(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    for (const ExportFormat format :
         {ExportFormat::Csv, ExportFormat::JsonLines, ExportFormat::Png, ExportFormat::Markdown}) {
        if (suffix == suffixOf(format))
            return format;
    }
    return suffix == QStringLiteral("json") ? std::optional(ExportFormat::JsonLines) : std::nullopt;
}

QString folderForFiles(const QString& preferred) {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    for (const QString& folder : {preferred, documents, QDir::homePath()}) {
        if (!folder.isEmpty() && QFileInfo(folder).isDir())
            return folder;
    }
    return QDir::tempPath();
}

QString exportFileName(const QString& what, const QString& server, const QString& time, ExportFormat format) {
    static const QRegularExpression unusual(QStringLiteral("[^A-Za-z0-9.]+"));
    QStringList parts{QStringLiteral("lockkeeper"), what,
                      QString(server).replace(unusual, QStringLiteral("-")).left(longestServer), time};
    parts.removeAll(QString());
    return parts.join(u'-') + QLatin1Char('.') + suffixOf(format);
}

}  // namespace lockkeeper::ui
