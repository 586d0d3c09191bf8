// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/configurationfiles.h"

#include "base/regularfile.h"
#include "profile/configuration/archivefiles.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/settingsparser.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::profile {

namespace {

constexpr qsizetype mostSiblings = 50;

Result<QByteArray> fileContent(const QString& path) {
    QFile file(path);
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return opened.error();
    const QByteArray bytes = file.read(largestRedissonFile + 1);
    if (file.error() != QFileDevice::NoError)
        return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
    if (bytes.size() > largestRedissonFile)
        return Error(ErrorCode::InvalidArgument, RedissonCause::TooLarge, {QString::number(largestRedissonFile)});
    return bytes;
}

}  // namespace

bool isConfigurationName(const QString& name) {
    static const QRegularExpression ending(QStringLiteral("\\.(ya?ml|json|properties)$"),
                                           QRegularExpression::CaseInsensitiveOption);
    return ending.match(name).hasMatch();
}

// A zip file begins with the header of its first entry, or of its end if it has none. A jar that can be run has a
// script before that.
bool isArchive(const QString& path) {
    constexpr qint64 longestEnd = 65'557;  // with its comment
    const QByteArray end("PK\x05\x06", 4);
    QFile file(path);
    if (!openRegularFile(file))
        return false;
    const QByteArray begin = file.read(4);
    static const QStringList endings{QStringLiteral("jar"), QStringLiteral("war")};
    if (begin == QByteArray("PK\x03\x04", 4) || begin == end || endings.contains(QFileInfo(path).suffix().toLower()))
        return true;
    return file.seek(std::max<qint64>(0, file.size() - longestEnd)) && file.read(longestEnd).contains(end);
}

std::optional<QString> springProfileOf(const QString& name) {
    static const QRegularExpression form(
        QStringLiteral("^(?:config/)?(?:application|bootstrap)(?:-([^/]+))?\\.(?:ya?ml|properties)$"),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(name);
    return match.hasMatch() ? std::optional(match.captured(1)) : std::nullopt;
}

Result<ConfigurationFiles> openConfiguration(const QString& path) {
    if (isArchive(path))
        return archiveFiles(path);
    const Result<QByteArray> bytes = fileContent(path);
    if (!bytes)
        return bytes.error();
    const QFileInfo file(path);
    ConfigurationFiles files;
    files.folder = file.absolutePath();
    files.files += {file.fileName(), *bytes};
    if (springProfileOf(file.fileName()) != QString())
        return files;
    const QStringList siblings =
        QDir(files.folder).entryList({file.completeBaseName() + QStringLiteral("-*")}, QDir::Files, QDir::Name);
    for (const QString& name : siblings.first(std::min(siblings.size(), mostSiblings))) {
        const std::optional<QString> profile = springProfileOf(name);
        const std::optional<QByteArray> content = profile ? fileBeside(files, name) : std::nullopt;
        if (content)
            files.files += {name, *content};
    }
    return files;
}

std::optional<QString> pathBeside(const ConfigurationFiles& files, const QString& name) {
    const QString folder = files.folder.isEmpty() ? QString() : QDir(files.folder).canonicalPath();
    // The links are followed before, so that none leads out of the folder.
    const QString path = folder.isEmpty() ? QString() : QFileInfo(QDir(folder).filePath(name)).canonicalFilePath();
    if (path.isEmpty() || !path.startsWith(folder.endsWith(QLatin1Char('/')) ? folder : folder + QLatin1Char('/')))
        return std::nullopt;
    return path;
}

std::optional<QByteArray> fileBeside(const ConfigurationFiles& files, const QString& name) {
    for (const ConfigurationFile& file : files.files) {
        if (file.name == name)
            return file.bytes;
    }
    const std::optional<QString> path = pathBeside(files, name);
    const Result<QByteArray> bytes = path ? fileContent(*path) : Result<QByteArray>(QByteArray());
    return path && bytes ? std::optional(*bytes) : std::nullopt;
}

}  // namespace lockkeeper::profile
