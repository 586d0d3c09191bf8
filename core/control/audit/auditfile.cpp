// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditfile.h"

#include "base/isotime.h"
#include "base/regularfile.h"
#include "control/audit/auditjson.h"
#include "platform/disksync.h"
#include "platform/filelock.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace lockkeeper::control {

namespace {

constexpr QFile::Permissions ownersFile = QFile::ReadOwner | QFile::WriteOwner;
constexpr QFile::Permissions ownersFolder = ownersFile | QFile::ExeOwner;
const auto fileEnding = QStringLiteral(".jsonl");

QString fileOf(WallTime at) {
    constexpr qsizetype yearAndMonth = 7;
    return isoTime(at).left(yearAndMonth) + fileEnding;
}

Error notWritten(const QString& path, const QString& reason) {
    return Error(ErrorCode::Storage, Cause::FileNotWritten, {path, reason});
}

// Creates the folder and those above it, and syncs the entry of each new one.
Result<Done> makeFolder(const QString& path) {
    if (QDir(path).exists())
        return Done();
    const QString parent = QFileInfo(path).path();
    if (const Result<Done> made = makeFolder(parent); !made)
        return made;
    // Another program may make it at the same time.
    if (!QDir().mkdir(path, ownersFolder) && !QDir(path).exists())
        return Error(ErrorCode::Storage, Cause::FolderNotMade, {path});
    return platform::syncFolder(parent) ? Result<Done>(Done()) : notWritten(parent, qt_error_string());
}

// The text after the last line but one, or the whole text. Nothing if the file cannot be read.
std::optional<QByteArray> lastLine(QFile& file) {
    qint64 window = 65536;
    for (;; window *= 2) {
        const qint64 start = std::max<qint64>(file.size() - window, 0);
        if (!file.seek(start))
            return std::nullopt;
        const QByteArray bytes = file.read(file.size() - start);
        if (file.error() != QFile::NoError || bytes.isEmpty())
            return std::nullopt;
        const qsizetype before = bytes.size() > 1 ? bytes.lastIndexOf('\n', bytes.size() - 2) : -1;
        if (before >= 0 || start == 0)
            return bytes.sliced(before + 1);
    }
}

}  // namespace

struct AuditFile::End {
    QString name;  // of the file; empty if there is no line yet
    QByteArray hash = noAuditHash();
    bool isTorn = false;
};

AuditFile::AuditFile(QString folder, std::chrono::milliseconds patience)
    : m_folder(std::move(folder)), m_patience(patience) {}

Result<WrittenAuditLine> AuditFile::append(const AuditRecord& record) const {
    if (m_folder.isEmpty())
        return Error(ErrorCode::Storage, Cause::FolderNotMade, {m_folder});
    if (const Result<Done> made = makeFolder(m_folder); !made)
        return made.error();
    const QString lockPath = m_folder + QStringLiteral("/lock");
    platform::FileLock lock(lockPath);
    if (!lock.acquire(m_patience))
        return notWritten(lockPath, lock.errorString());
    const Result<End> last = end();
    if (!last)
        return last.error();
    // If the clock was set back, the newest file continues, so that the files stay in the order of their lines.
    const QString name = std::max(fileOf(record.at), last->name);
    const bool endsTornLine = last->isTorn && name == last->name;
    const QByteArray line = toAuditLine(record, last->hash);
    const QByteArray bytes = (endsTornLine ? QByteArrayLiteral("\n") : QByteArray()) + line + '\n';
    const Result<qint64> begin = write(m_folder + u'/' + name, bytes);
    if (!begin)
        return begin.error();
    return WrittenAuditLine{record, line, name, *begin, *begin + bytes.size()};
}

Result<AuditFile::End> AuditFile::end() const {
    const QStringList paths = auditFiles(m_folder);
    for (auto path = paths.crbegin(); path != paths.crend(); ++path) {
        QFile file(*path);
        if (const Result<Done> opened = openRegularFile(file); !opened)
            return opened.error();
        if (file.size() == 0)
            continue;
        std::optional<QByteArray> line = lastLine(file);
        if (!line)
            return Error(ErrorCode::Storage, Cause::FileNotRead, {*path, file.errorString()});
        const bool isTorn = !line->endsWith('\n');
        if (!isTorn)
            line->chop(1);
        return End{QFileInfo(*path).fileName(), auditHash(*line), isTorn};
    }
    return End();
}

Result<qint64> AuditFile::write(const QString& path, const QByteArray& bytes) const {
    QFile file(path);
    const bool isNew = !file.exists();
    const bool isOpen = file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered, ownersFile) &&
                        (isNew || file.permissions() == ownersFile || file.setPermissions(ownersFile));
    const qint64 before = file.size();
    if (!isOpen || !writeWhole(file, bytes))
        return notWritten(path, file.errorString());
    // Also syncs the folder, even for an older file: the call that created the file may have failed before that.
    if (!platform::syncFile(file) || !platform::syncFolder(m_folder))
        return notWritten(path, qt_error_string());
    return before;
}

QStringList auditFiles(const QString& folder) {
    QStringList paths;
    const QString pattern = QStringLiteral("[0-9][0-9][0-9][0-9]-[0-9][0-9]") + fileEnding;
    const QStringList names = QDir(folder).entryList({pattern}, QDir::Files | QDir::System, QDir::Name);
    for (const QString& name : names)
        paths += folder + u'/' + name;
    return paths;
}

}  // namespace lockkeeper::control
