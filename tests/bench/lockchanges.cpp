// SPDX-License-Identifier: Apache-2.0
#include "lockchanges.h"

#include "support/lockscripts.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::bench {

namespace {

const QByteArray holder = QByteArrayLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

}  // namespace

LockChanges::LockChanges(int locks, ServerOf serverOf, const QString& publish)
    : m_serverOf(std::move(serverOf)),
      m_acquire(test::lockScript(QStringLiteral("reentrant_acquire"))),
      m_release(test::lockScript(QStringLiteral("reentrant_release"), publish)),
      m_pending(static_cast<size_t>(locks)) {}

void LockChanges::begin() {
    for (qint64 lock = 0; lock < std::ssize(m_pending); ++lock) {
        m_serverOf(nameOf(lock)).loadScript(m_acquire);
        m_serverOf(nameOf(lock)).loadScript(m_release);
        take(nameOf(lock));
    }
}

void LockChanges::make() {
    const qint64 lock = m_made % std::ssize(m_pending);
    const bool taken = m_made / std::ssize(m_pending) % 2 == 1;
    m_pending[static_cast<size_t>(lock)].push_back({std::chrono::steady_clock::now(), taken});
    ++m_made;
    if (taken)
        take(nameOf(lock));
    else
        giveBack(nameOf(lock));
}

void LockChanges::see(const QByteArray& line) {
    const QJsonObject event = QJsonDocument::fromJson(line).object();
    const QString type = event.value(QLatin1String("event")).toString();
    const bool taken = type == QLatin1String("acquired");
    const QString name = event.value(QLatin1String("lock")).toString();
    if (!name.startsWith(QLatin1String("hot:")) || (!taken && type != QLatin1String("released")))
        return;
    std::deque<Change>& pending = m_pending[name.mid(4).toULong()];
    const auto told = std::ranges::find(pending, taken, &Change::taken);
    if (told == pending.end())
        return;
    m_unseen += told - pending.begin();
    m_told += told - pending.begin() + 1;
    for (auto change = pending.begin(); change <= told; ++change)
        m_latencies.push_back(secondsSince(change->at) * 1e6);
    pending.erase(pending.begin(), told + 1);
}

void LockChanges::take(const QByteArray& name) {
    m_serverOf(name).send(redis::ScriptCall(m_acquire, {name}, {"3600000", holder}).evalSha());
}

void LockChanges::giveBack(const QByteArray& name) {
    const QByteArray channel = "redisson_lock__channel:{" + name + "}";
    m_serverOf(name).send(redis::ScriptCall(m_release, {name}, {channel, "0", "3600000", holder}).evalSha());
}

}  // namespace lockkeeper::bench
