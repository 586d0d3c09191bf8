#pragma once

#include "engine/engine.h"

#include <vector>

namespace lockkeeper::test {

// A fake Engine: it records the calls, and emits what the test wants.
class FakeEngine final : public Engine {
public:
    using Engine::Engine;

    void connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames) override {
        connects.push_back(profile);
        lastKnownNames = knownNames;
    }
    void connectToDemo(redis::AccessMode access) override { demos.push_back(access); }
    void disconnectFromServer() override { ++disconnects; }
    void setDiscovery(monitor::DiscoveryState state) override { discoveries.push_back(state); }
    OperationId acquire(const control::AcquireRequest& request) override {
        acquires.push_back(request);
        return nextId();
    }
    OperationId release(const control::ReleaseRequest& request) override {
        releases.push_back(request);
        return nextId();
    }
    OperationId forceRelease(const control::ForceReleaseRequest& request) override {
        forceReleases.push_back(request);
        return nextId();
    }
    OperationId identify(const monitor::HolderSearch& search) override {
        searches.push_back(search);
        return nextId();
    }
    OperationId readHistory(const history::HistoryQuery& query) override {
        historyQueries.push_back(query);
        return nextId();
    }
    OperationId forgetHistory(const QString& connection) override {
        forgottenConnections << connection;
        return nextId();
    }
    void setRetention(const history::Retention& retention) override { retentions.push_back(retention); }
    void cancel(OperationId operation) override { cancelled.push_back(operation); }
    void shutDown(control::OwnLocksAtExit ownLocks) override { shutDowns.push_back(ownLocks); }

    void say(const ConnectionStatus& status) { Q_EMIT connectionChanged(status); }
    void say(const monitor::MonitorBatch& batch) { Q_EMIT batchReady(batch); }
    void sayHistory(const std::vector<monitor::LockEvent>& events) { Q_EMIT historyLoaded(events); }
    void failHistory(const Error& error) { Q_EMIT historyFailed(error); }
    void setHistoryAside(const QString& path) { Q_EMIT historySetAside(path); }
    void say(const QList<control::OwnLock>& locks) { Q_EMIT ownLocksChanged(locks); }
    // Sends the answer to the latest operation.
    void finishLast(const control::OperationResult& result) { Q_EMIT operationFinished(lastId, result); }
    void finishLast(const monitor::HolderIdentity& identity) { Q_EMIT holderIdentified(lastId, identity); }
    void finishLast(const history::HistoryExcerpt& excerpt) { Q_EMIT historyRead(lastId, excerpt); }
    void finishForgetting(const std::optional<Error>& error) { Q_EMIT historyForgotten(lastId, error); }
    void loseOwnLock(const LockName& name, const QString& why) { Q_EMIT ownLockLost(name, why); }
    void finishShutDown() { Q_EMIT shutDownFinished(); }

    std::vector<profile::ConnectionProfile> connects;
    QList<LockName> lastKnownNames;
    std::vector<redis::AccessMode> demos;
    std::vector<monitor::DiscoveryState> discoveries;
    std::vector<control::AcquireRequest> acquires;
    std::vector<control::ReleaseRequest> releases;
    std::vector<control::ForceReleaseRequest> forceReleases;
    std::vector<monitor::HolderSearch> searches;
    std::vector<history::HistoryQuery> historyQueries;
    QStringList forgottenConnections;
    std::vector<history::Retention> retentions;
    std::vector<OperationId> cancelled;
    std::vector<control::OwnLocksAtExit> shutDowns;
    int disconnects = 0;
    OperationId lastId{};

private:
    OperationId nextId() {
        lastId = OperationId(static_cast<quint64>(lastId) + 1);
        return lastId;
    }
};

}  // namespace lockkeeper::test
