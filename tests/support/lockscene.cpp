// SPDX-License-Identifier: Apache-2.0
#include "support/lockscene.h"

#include "support/sleepingcall.h"

#include <algorithm>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

LockUser::LockUser(Kind kind, const std::vector<std::unique_ptr<RedisServer>>& servers, Clock& clock,
                   const LockClientOptions& options)
    : m_kind(kind) {
    LockClientOptions clientOptions = options;
    clientOptions.id = ClientId::random();
    for (const auto& server : servers) {
        redis::ConnectionOptions connection = server->options();
        connection.firstRetry = 5ms;
        connection.lastRetry = 20ms;
        m_lines.push_back(std::make_unique<LossyLine>(connection.endpoint));
        m_clients.push_back(std::make_unique<LockClient>(connection, m_lines.back()->factory(), clock, clientOptions));
        QObject::connect(m_clients.back().get(), &LockClient::lockLost,
                         [this](const HoldKey&, LossReason why) { m_losses += why; });
    }
}

AnyLock LockUser::rival(const LockName& name) const {
    return AnyLock(m_kind == Kind::Read ? Kind::Write : m_kind, clients(), name);
}

void LockUser::open() {
    for (const auto& client : m_clients)
        client->open();
}

std::vector<LockClient*> LockUser::clients() const {
    std::vector<LockClient*> all;
    for (const auto& client : m_clients)
        all.push_back(client.get());
    return all;
}

bool LockUser::isConnected() const {
    return isConnectedAnew(std::vector<QSet<qint64>>(m_clients.size()));
}

bool LockUser::isConnectedAnew(const std::vector<QSet<qint64>>& instead) const {
    for (size_t i = 0; i < m_clients.size(); ++i) {
        const redis::Connection& connection = *m_clients[i]->connections().of({});
        if (!connection.isReady() || instead[i].contains(connection.server().connectionId))
            return false;
    }
    return true;
}

LockScene::LockScene(Kind kind, const Options& options) : m_kind(kind), m_options(options) {
    const QStringList extra = options.memory == Memory::Remembers ? RedisServer::withMemory() : QStringList();
    for (size_t i = 0; i < serversOf(kind); ++i)
        m_servers.push_back(std::make_unique<RedisServer>(extra));
    LockClientOptions clientOptions;
    clientOptions.watchdogTimeout = options.watchdogTimeout;
    clientOptions.commandTimeout = options.commandTimeout;
    m_mine = std::make_unique<LockUser>(kind, m_servers, m_clock, clientOptions);
    m_other = std::make_unique<LockUser>(kind, m_servers, m_clock, clientOptions);
}

bool LockScene::start() {
    if (!std::ranges::all_of(m_servers, [](const auto& server) { return server->start(); }))
        return false;
    m_mine->open();
    m_other->open();
    return becomesTrue([this] { return m_mine->isConnected() && m_other->isConnected(); });
}

bool LockScene::restart() {
    for (const auto& server : m_servers)
        server->kill();
    return start();
}

QString LockScene::everywhere(const QStringList& command) {
    QStringList answers;
    for (const auto& server : m_servers)
        answers += server->cli(command);
    return answers.join(u'\n');
}

bool LockScene::killConnections(const QString& clientName) {
    std::vector<QSet<qint64>> killed;
    const QString name = QStringLiteral(" name=%1 ").arg(clientName);
    for (const auto& server : m_servers) {
        killed.emplace_back();
        const QStringList clients = server->cli({QStringLiteral("CLIENT"), QStringLiteral("LIST")}).split(u'\n');
        for (const QString& client : clients.filter(name)) {
            const QString id = client.section(u' ', 0, 0).section(u'=', 1);
            server->cli({QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("ID"), id});
            killed.back() += id.toLongLong();
        }
        if (killed.back().isEmpty())
            return false;
    }
    return becomesTrue([&] { return m_mine->isConnectedAnew(killed) && m_other->isConnectedAnew(killed); });
}

QString LockScene::disagreement(const AnyLock& lock, ThreadId thread) {
    const std::vector<Lock>& members = lock.members();
    QStringList differences;
    for (size_t i = 0; i < members.size(); ++i) {
        const HoldKey key = members[i].holdKey(thread);
        const qint64 believed = members[i].client().hold(key).count;
        RedisServer& server = *m_servers[m_servers.size() > 1 ? i : 0];
        const qint64 onRecord =
            server
                .cli({QStringLiteral("HGET"), QString::fromLatin1(key.name.bytes()), QString::fromLatin1(key.field())})
                .toLongLong();
        if (believed != onRecord)
            differences += QStringLiteral("member %1: believed %2, on record %3").arg(i).arg(believed).arg(onRecord);
    }
    return differences.join(QStringLiteral("; "));
}

bool LockScene::believes(const AnyLock& lock, ThreadId thread) {
    const auto held = std::ranges::count_if(lock.members(), [thread](const Lock& member) {
        return member.client().hold(member.holdKey(thread)).count > 0;
    });
    return static_cast<size_t>(held) >= lock.quorum();
}

QString LockScene::take(const AnyLock& lock, ThreadId thread) {
    const Result<LockAttempt> taken = test::waitFor(lock.tryLock(thread, in(0ms)));
    if (!taken)
        return taken.error().text;
    return taken->acquired() ? QString() : QStringLiteral("held by another");
}

QString LockScene::giveBack(const AnyLock& lock, ThreadId thread) {
    const Result<ReleaseOutcome> released = test::waitFor(lock.unlock(thread));
    if (!released)
        return released.error().text;
    return *released == ReleaseOutcome::Free ? QString() : QStringLiteral("it is held still");
}

void LockScene::giveEverythingBack(const AnyLock& lock, ThreadId thread) {
    for (const Lock& member : lock.members()) {
        LockClient& client = member.client();
        while (client.hold(member.holdKey(thread)).count > 0) {
            QVERIFY(becomesTrue([&client] { return client.connections().of({})->isReady(); }));
            const Result<ReleaseOutcome> released = test::waitFor(member.unlock(thread));
            Q_UNUSED(released)  // an error is fine: the lock may have been taken away
        }
    }
}

QStringList LockScene::lockKeys(const AnyLock& lock) {
    QStringList names;
    for (const Lock& member : lock.members())
        names += QString::fromUtf8(member.name().bytes());
    names.removeDuplicates();
    return names;
}

bool LockScene::isRenewed(const AnyLock& lock) {
    const QStringList keys = lockKeys(lock);
    const auto ends = [&] {
        std::vector<qint64> all;
        for (const auto& server : m_servers) {
            for (const QString& key : keys)
                all.push_back(ServerHand(*server).leaseEnd(key));
        }
        return all;
    };
    const std::vector<qint64> before = ends();
    return becomesTrue([&] {
        return std::ranges::equal(ends(), before, [](qint64 now, qint64 old) { return now > 0 && now != old; });
    });
}

bool LockScene::mineFallsAsleep() {
    const std::vector<LockClient*> clients = m_mine->clients();
    // After a restart a client may not have noticed yet that its connection is lost.
    const auto answers = [&] {
        return std::ranges::all_of(clients, [](LockClient* client) { return isAnswered(*client); });
    };
    if (!becomesTrue([&] { return m_mine->isConnected() && answers(); }))
        return false;
    for (size_t i = 0; i < m_servers.size(); ++i) {
        if (!fallsAsleep(m_kind, *m_servers[i], *clients[i]))
            return false;
    }
    return true;
}

QStringList LockScene::keys() {
    QStringList all = everywhere({QStringLiteral("KEYS"), QStringLiteral("*")}).split(u'\n', Qt::SkipEmptyParts);
    all.removeAll(QStringLiteral("redisson_lock_token:{L}"));
    return all;
}

}  // namespace lockkeeper::test
