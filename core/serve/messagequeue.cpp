// SPDX-License-Identifier: Apache-2.0
#include "serve/messagequeue.h"

#include "base/regularfile.h"
#include "platform/disksync.h"
#include "profile/wholefile.h"
#include "serve/servecause.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

constexpr int numberDigits = 12;
constexpr qint64 largestFile = 4 * largestMessage;
const auto fileEnding = QStringLiteral(".json");
constexpr QFile::Permissions ownersFolder = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;

// "000000000012-3.json": its number, and how many attempts have begun.
struct QueueName {
    quint64 number = 0;
    int attempts = 0;
};

std::optional<QueueName> queueNameFrom(const QString& name) {
    const QString stem = name.chopped(fileEnding.size());
    const qsizetype joint = stem.indexOf(u'-');
    bool isNumber = false;
    bool isCount = false;
    const QueueName parts{stem.left(joint).toULongLong(&isNumber), stem.mid(joint + 1).toInt(&isCount)};
    return joint == numberDigits && isNumber && isCount && parts.attempts >= 0 ? std::optional(parts) : std::nullopt;
}

}  // namespace

QString MessageQueue::pathOf(const Waiting& waiting) const {
    return QStringLiteral("%1/%2-%3")
               .arg(m_folder)
               .arg(waiting.number, numberDigits, 10, QLatin1Char('0'))
               .arg(waiting.attempts) +
           fileEnding;
}

Result<Done> MessageQueue::open() {
    if (!QDir(m_folder).exists() && !QDir().mkdir(m_folder, ownersFolder))
        return Error(ErrorCode::Storage, Cause::FolderNotMade, {m_folder});
    const QStringList names = QDir(m_folder).entryList({u'*' + fileEnding}, QDir::Files, QDir::Name);
    for (const QString& name : names)
        read(name);
    return Done();
}

void MessageQueue::read(const QString& name) {
    const std::optional<QueueName> parts = queueNameFrom(name);
    if (!parts)
        return;  // of somebody else
    const QString path = m_folder + u'/' + name;
    m_lastNumber = std::max(m_lastNumber, parts->number);
    const Result<std::optional<QByteArray>> bytes = profile::readWholeFile(path, largestFile);
    const std::optional<Message> message = bytes && *bytes ? messageFrom(**bytes) : std::nullopt;
    if (message && m_waiting.size() < most) {
        m_waiting.push_back({*message, parts->attempts, parts->number, true});
        return;
    }
    m_damaged << path;
    QFile::remove(path);
    ++m_dropped;
}

Result<Done> MessageQueue::add(const Message& message) {
    const bool isFull = m_waiting.size() >= most;
    if (isFull) {
        // The first one may be under way to the receiver.
        const auto oldest = m_waiting.begin() + 1;
        QFile::remove(pathOf(*oldest));
        m_waiting.erase(oldest);
        ++m_dropped;
    }
    m_waiting.push_back({message, 0, ++m_lastNumber, false});
    const QByteArray json = QJsonDocument(toJson(message, 0)).toJson(QJsonDocument::Compact) + '\n';
    const Result<Done> written = profile::writeWholeFile(pathOf(m_waiting.back()), json);
    m_waiting.back().isOnDisk = written.ok();
    if (!written)
        return written;
    return isFull ? Result<Done>(Error(ErrorCode::Overloaded, ServeCause::QueueFull, {QString::number(most)}))
                  : Result<Done>(Done());
}

// The name on the disk has the number of the attempt before it begins, so that after a crash the next one is marked.
int MessageQueue::beginAttempt() {
    Waiting& first = m_waiting.front();
    const QString before = pathOf(first);
    ++first.attempts;
    if (first.isOnDisk && QFile::rename(before, pathOf(first)))
        (void)platform::syncFolder(m_folder);  // if the disk refuses, a message may be marked with too low a number
    return first.attempts;
}

void MessageQueue::removeFirst() {
    if (m_waiting.front().isOnDisk)
        QFile::remove(pathOf(m_waiting.front()));
    m_waiting.pop_front();
}

void MessageQueue::dropFirst() {
    ++m_dropped;
    removeFirst();
}

}  // namespace lockkeeper::serve
