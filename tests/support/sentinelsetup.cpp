// SPDX-License-Identifier: Apache-2.0
#include "support/sentinelsetup.h"

#include "lab/servers/watchedmaster.h"
#include "support/taskwait.h"

#include <algorithm>

namespace lockkeeper::test {

SentinelSetup::SentinelSetup(int sentinels, const Options& options) {
    const QStringList common =
        options.more + QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    m_first = std::make_unique<RedisServer>(common);
    m_second = std::make_unique<RedisServer>(
        common +
        QStringList{QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1 ") + QString::number(m_first->port())});
    lab::WatchedMaster master;
    master.name = "orders";
    master.port = m_first->port();
    master.quorum = sentinels / 2 + 1;
    master.downAfter = options.downAfter;
    for (int i = 0; i < sentinels; ++i)
        m_sentinels.push_back(
            RedisServer::sentinel(lab::sentinelLinesFor(master), options.ofSentinels.value_or(options.more)));
}

bool SentinelSetup::start() {
    if (!m_first->start() || !m_second->start())
        return false;
    for (const auto& sentinel : m_sentinels) {
        if (!sentinel->start())
            return false;
    }
    return becomesTrue(
        [this] {
            return std::ranges::all_of(m_sentinels, [this](const auto& sentinel) { return knowsAll(*sentinel); });
        },
        20000);
}

bool SentinelSetup::knowsAll(RedisServer& sentinel) const {
    const QStringList lines =
        sentinel.cli({QStringLiteral("SENTINEL"), QStringLiteral("MASTER"), QStringLiteral("orders")}).split(u'\n');
    const auto value = [&lines](const QString& key) { return lines.value(lines.indexOf(key) + 1); };
    return value(QStringLiteral("num-slaves")) == QStringLiteral("1") &&
           value(QStringLiteral("num-other-sentinels")) == QString::number(m_sentinels.size() - 1);
}

bool SentinelSetup::failOver() {
    return m_sentinels.front()->cli({QStringLiteral("SENTINEL"), QStringLiteral("FAILOVER"),
                                     QStringLiteral("orders")}) == QStringLiteral("OK") &&
           secondBecomesMaster();
}

bool SentinelSetup::secondBecomesMaster(int milliseconds) {
    return becomesTrue([this] { return m_second->cli({QStringLiteral("ROLE")}).startsWith(u"master"); }, milliseconds);
}

QString SentinelSetup::url() const {
    QStringList hosts;
    for (const auto& sentinel : m_sentinels)
        hosts += QStringLiteral("127.0.0.1:%1").arg(sentinel->port());
    return QStringLiteral("redis-sentinel://%1/orders").arg(hosts.join(u','));
}

}  // namespace lockkeeper::test
