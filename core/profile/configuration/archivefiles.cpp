// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/archivefiles.h"

#include "base/safetext.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/settingsparser.h"

#include <QFile>

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <memory>

namespace lockkeeper::profile {

namespace {

constexpr int mostFiles = 1000;       // that may be configurations
constexpr int mostEntries = 200'000;  // all others, of which only the names are read
constexpr qint64 mostBytes = 32'000'000;
constexpr size_t blockSize = 1 << 16;

struct Closing {
    void operator()(archive* opened) const noexcept { archive_read_free(opened); }
};
using OpenArchive = std::unique_ptr<archive, Closing>;

Error archiveFault(RedissonCause cause, const QString& argument) {
    return Error(ErrorCode::InvalidArgument, cause, {argument});
}

Error noArchive(archive* opened) {
    const char* reason = archive_error_string(opened);
    return archiveFault(RedissonCause::NoArchive, safeText(bounded(QString::fromUtf8(reason ? reason : "damaged"))));
}

// Nothing for a name that leads out of the archive.
std::optional<QString> classPathName(const QString& entry) {
    if (entry.startsWith(QLatin1Char('/')) || entry.contains(QLatin1Char('\\')) ||
        entry.split(QLatin1Char('/')).contains(QLatin1String("..")))
        return std::nullopt;
    for (const QLatin1String root : {QLatin1String("BOOT-INF/classes/"), QLatin1String("WEB-INF/classes/")}) {
        if (entry.startsWith(root))
            return entry.mid(root.size());
    }
    const bool isOther = entry.startsWith(QLatin1String("BOOT-INF/")) || entry.startsWith(QLatin1String("WEB-INF/")) ||
                         entry.startsWith(QLatin1String("META-INF/"));
    return isOther ? std::nullopt : std::optional(entry);
}

// Whether the file may name servers, so that leaving it out could lead to others.
bool mayNameServers(const QString& name) {
    return springProfileOf(name) || name.contains(QLatin1String("redis"), Qt::CaseInsensitive);
}

// The whole entry, whatever size the archive claims.
Result<QByteArray> entryContent(archive* opened, const QString& name) {
    QByteArray bytes;
    QByteArray block(static_cast<qsizetype>(blockSize), Qt::Uninitialized);
    while (true) {
        const la_ssize_t got = archive_read_data(opened, block.data(), blockSize);
        if (got < 0) {
            const char* reason = archive_error_string(opened);
            return Error(ErrorCode::InvalidArgument, RedissonCause::EntryNotRead,
                         {safeText(bounded(name)), safeText(bounded(QString::fromUtf8(reason ? reason : "damaged")))});
        }
        if (bytes.size() + got > largestRedissonFile)
            return Error(ErrorCode::InvalidArgument, RedissonCause::EntryTooLarge,
                         {safeText(bounded(name)), QString::number(largestRedissonFile)});
        if (got == 0)
            return bytes;
        bytes.append(block.constData(), static_cast<qsizetype>(got));
    }
}

Result<ConfigurationFiles> filesIn(archive* opened) {
    ConfigurationFiles files;
    files.source = ConfigurationFiles::Source::Archive;
    qint64 size = 0;
    archive_entry* entry = nullptr;
    for (int entries = 0; entries < mostEntries; ++entries) {
        const int result = archive_read_next_header(opened, &entry);
        if (result == ARCHIVE_EOF)
            break;
        if (result < ARCHIVE_WARN)
            return noArchive(opened);
        const char* path = archive_entry_pathname_utf8(entry);
        const std::optional<QString> name = path ? classPathName(QString::fromUtf8(path)) : std::nullopt;
        if (!name || archive_entry_filetype(entry) != AE_IFREG || !isConfigurationName(*name))
            continue;
        const bool isKnown = std::any_of(files.files.cbegin(), files.files.cend(),
                                         [&name](const ConfigurationFile& one) { return one.name == *name; });
        const bool isNeeded = mayNameServers(*name);
        if (isKnown || (!isNeeded && (files.files.size() >= mostFiles || size > mostBytes)))
            continue;
        if (size > mostBytes || files.files.size() >= mostFiles)
            return Error(ErrorCode::InvalidArgument, RedissonCause::TooManyFiles,
                         {QString::number(mostFiles), QString::number(mostBytes)});
        if (archive_entry_is_encrypted(entry) != 0) {
            if (isNeeded)
                return archiveFault(RedissonCause::EntryEncrypted, safeText(bounded(*name)));
            continue;
        }
        const Result<QByteArray> bytes = entryContent(opened, *name);
        if (!bytes && isNeeded)
            return bytes.error();
        if (!bytes)
            continue;
        size += bytes->size();
        files.files += {*name, *bytes};
    }
    return files;
}

OpenArchive newArchive() {
    OpenArchive opened(archive_read_new());
    archive_read_support_format_zip(opened.get());
    return opened;
}

}  // namespace

Result<ConfigurationFiles> archiveFiles(const QString& path) {
    const OpenArchive opened = newArchive();
    if (archive_read_open_filename(opened.get(), QFile::encodeName(path).constData(), blockSize) != ARCHIVE_OK)
        return noArchive(opened.get());
    return filesIn(opened.get());
}

Result<ConfigurationFiles> archiveFiles(const QByteArray& bytes) {
    const OpenArchive opened = newArchive();
    if (archive_read_open_memory(opened.get(), bytes.constData(), static_cast<size_t>(bytes.size())) != ARCHIVE_OK)
        return noArchive(opened.get());
    return filesIn(opened.get());
}

}  // namespace lockkeeper::profile
