// SPDX-License-Identifier: Apache-2.0
#include "locks/lockevents.h"

#include "redis/connection.h"
#include "topology/shardconnections.h"

#include <QHash>
#include <QPointer>

#include <algorithm>
#include <set>

namespace lockkeeper::locks {

using redis::Command;
using redis::Connection;
using redis::RespValue;

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds restBetweenReads = 10ms;
constexpr Milliseconds untracked = 1s;  // between two reads
constexpr int firstProtocolWithPushes = 3;

// The holders in an answer to HGETALL; none if the key is of another type, because such a key is no lock.
QByteArrayList holdersIn(const RespValue& fieldsAndValues) {
    QByteArrayList holders;
    for (size_t i = 0; i + 1 < fieldsAndValues.items.size(); i += 2) {
        if (fieldsAndValues.items[i].bytes != "mode")
            holders += fieldsAndValues.items[i].bytes;
    }
    return holders;
}

bool haveCommon(const QByteArrayList& some, const QByteArrayList& others) {
    return std::ranges::any_of(some, [&others](const QByteArray& one) { return others.contains(one); });
}

}  // namespace

class LockEvents::Names : public QObject {
public:
    Names(LockEvents& owner, redis::ConnectionOptions options, topology::Shards& shards, Clock& clock)
        : m_owner(owner), m_connections(std::move(options), shards, clock) {
        connect(&m_connections, &topology::ShardConnections::stateChanged, this, &Names::onStateChanged);
        connect(&m_connections, &topology::ShardConnections::pushReceived, this,
                [this](const Connection*, const RespValue& push) { onPush(push); });
        connect(&m_connections, &topology::ShardConnections::ownersChanged, this, &Names::readAll);
        m_connections.open();
    }
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;
    ~Names() override {
        for (const Watched& watched : std::as_const(m_watched))
            m_connections.clock().cancel(watched.timer);
    }

    void watch(const LockName& name) {
        if (m_watched.contains(name))
            return;
        m_watched.insert(name, Watched());
        read(name);
    }
    void unwatch(const LockName& name) { m_connections.clock().cancel(m_watched.take(name).timer); }
    [[nodiscard]] bool isTracked(const LockName& name) { return m_tracking.contains(m_connections.of(name.bytes())); }

private:
    struct Watched {
        QByteArrayList holders;  // as last read
        bool isReading = false;
        bool isResting = false;   // after a read
        bool hasChanged = false;  // since the read was sent
        Clock::TimerId timer = Clock::TimerId::None;
    };

    void onStateChanged(Connection* connection, Connection::State state) {
        m_tracking.erase(connection);
        if (state != Connection::State::Ready)
            return;
        if (connection->server().protocol < firstProtocolWithPushes)
            return readAll();
        connection->send(Command("CLIENT", {"TRACKING", "ON"}))
            .then([this, alive = QPointer(this), at = QPointer(connection)](const Result<RespValue>& answer) {
                if (!alive || !at)
                    return;
                if (answer)
                    m_tracking.insert(at);
                readAll();
            });
    }

    // A push without names reports a flush of the database.
    void onPush(const RespValue& push) {
        if (push.items.size() != 2 || push.items.front().bytes != "invalidate")
            return;
        if (push.items[1].isNull())
            return readAll();
        for (const RespValue& key : push.items[1].items)
            read(LockName(key.bytes));
    }

    void readAll() {
        const QList<LockName> names = m_watched.keys();
        for (const LockName& name : names)
            read(name);
    }

    void read(const LockName& name) {
        const auto watched = m_watched.find(name);
        if (watched == m_watched.end())
            return;
        if (watched->isReading || watched->isResting) {
            watched->hasChanged = true;
            return;
        }
        m_connections.clock().cancel(std::exchange(watched->timer, Clock::TimerId::None));
        watched->isReading = true;
        watched->hasChanged = false;
        const bool isTracked = this->isTracked(name);
        m_connections.send(name.bytes(), Command("HGETALL", {name.bytes()}))
            .then([this, alive = QPointer(this), name, isTracked](const Result<RespValue>& answer) {
                if (alive)
                    onRead(name, isTracked, answer);
            });
    }

    void onRead(const LockName& name, bool wasTracked, const Result<RespValue>& answer) {
        const auto watched = m_watched.find(name);
        if (watched == m_watched.end())
            return;
        const bool isKnown = answer || answer.error().reply == ReplyKind::WrongType;
        const QByteArrayList now = answer ? holdersIn(*answer) : QByteArrayList();
        const QByteArrayList before = isKnown ? std::exchange(watched->holders, now) : now;
        watched->isReading = false;
        const bool isReported = isKnown && wasTracked && isTracked(name);
        if (isReported || watched->hasChanged)
            rest(name);
        else
            readAfter(name, untracked);
        if (isKnown)
            report(name, before, now);
    }

    // Limits the reads: a lock that changes all the time is read 100 times a second.
    void rest(const LockName& name) {
        Clock& clock = m_connections.clock();
        m_watched[name].isResting = true;
        m_watched[name].timer = clock.schedule(clock.now() + restBetweenReads, [this, name] {
            Watched& watched = m_watched[name];
            watched.timer = Clock::TimerId::None;
            watched.isResting = false;
            if (watched.hasChanged)
                read(name);
        });
    }

    void readAfter(const LockName& name, Milliseconds pause) {
        Clock& clock = m_connections.clock();
        m_watched[name].timer = clock.schedule(clock.now() + pause, [this, name] {
            m_watched[name].timer = Clock::TimerId::None;
            read(name);
        });
    }

    void report(const LockName& name, const QByteArrayList& before, const QByteArrayList& now) {
        const bool isSame = before.isEmpty() ? now.isEmpty() : haveCommon(before, now);
        if (isSame)
            return;
        const QPointer<Names> alive(this);
        if (!before.isEmpty())
            Q_EMIT m_owner.released(name);
        if (alive && !now.isEmpty() && m_watched.contains(name))
            Q_EMIT m_owner.acquired(name, now);
    }

    LockEvents& m_owner;
    topology::ShardConnections m_connections;
    QHash<LockName, Watched> m_watched;
    std::set<const Connection*> m_tracking;
};

LockEvents::LockEvents(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent)
    : QObject(parent), m_names(std::make_unique<Names>(*this, std::move(options), shards, clock)) {}

LockEvents::~LockEvents() = default;

void LockEvents::watch(const LockName& name) {
    m_names->watch(name);
}

void LockEvents::unwatch(const LockName& name) {
    m_names->unwatch(name);
}

bool LockEvents::isTracked(const LockName& name) {
    return m_names->isTracked(name);
}

}  // namespace lockkeeper::locks

#include "moc_lockevents.cpp"
