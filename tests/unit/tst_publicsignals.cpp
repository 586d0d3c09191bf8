// SPDX-License-Identifier: Apache-2.0
#include "locks/heldtracking.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "redis/sockettransport.h"
#include "support/certificates.h"
#include "support/fakecluster.h"
#include "support/fakeshards.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/places.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/clustersource.h"
#include "topology/replicasource.h"
#include "topology/route.h"
#include "topology/sentinelsource.h"
#include "topology/shardconnections.h"

#include <QEventLoop>
#include <QFile>
#include <QLocalServer>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_publicsignals {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using redis::Command;
using redis::Connection;
using redis::Transport;
using test::FakeLink;
using topology::Address;
using topology::MasterSource;
using topology::ShardConnections;
using topology::Shards;

namespace {

using Slot = std::function<void()>;

const QByteArray ok = "+OK\r\n";
const QByteArray nothing = "_\r\n";
const QByteArray masterRole = "*3\r\n$6\r\nmaster\r\n:42\r\n*0\r\n";
const FakeLink::Answers tracking{{"CLIENT TRACKING ON OPTIN NOLOOP", ok}, {"CLIENT CACHING YES", ok}};
const Command get("GET", {"k"});

template <typename Sender, typename Signal>
void hook(Sender* sender, Signal signal, const Slot& slot) {
    QObject::connect(sender, signal, [slot] { slot(); });
}

// For stateChanged() of one object: only this state counts.
void hookState(Connection* sender, Connection::State wanted, const Slot& slot) {
    QObject::connect(sender, &Connection::stateChanged, [wanted, slot](Connection::State state) {
        if (state == wanted)
            slot();
    });
}
void hookState(ShardConnections* sender, Connection::State wanted, const Slot& slot) {
    QObject::connect(sender, &ShardConnections::stateChanged, [wanted, slot](Connection*, Connection::State state) {
        if (state == wanted)
            slot();
    });
}

redis::ConnectionOptions connectionOptions() {
    redis::ConnectionOptions options;
    options.lastRetry = options.firstRetry;  // so that each loss is followed by the same pause
    options.keepaliveInterval = 24h;
    return options;
}

// ---- the objects of a row; remove() deletes the sender and all that owns it ----

struct ClientWorld {
    static constexpr ThreadId owner{7};

    explicit ClientWorld(std::unique_ptr<Shards> ownShards = nullptr) : shards(std::move(ownShards)) {
        LockClientOptions options;
        options.replicasToWaitFor = 0;
        client = shards ? std::make_unique<LockClient>(connectionOptions(), *shards, clock, options)
                        : std::make_unique<LockClient>(connectionOptions(), server.factory(), clock, options);
    }

    [[nodiscard]] FakeLink& link() { return server.linkOf("lockkeeper"); }
    [[nodiscard]] ShardConnections* connections() const { return &client->connections(); }
    void open(const FakeLink::Answers& answers = {}) {
        client->open();
        server.acceptAll(answers);
    }
    void tryLock(std::optional<Milliseconds> lease = std::nullopt, const QByteArray& name = "L") {
        const ReentrantLock lock = client->reentrantLock(LockName(name));
        (void)test::start(lock.tryLock(owner, Deadline::in(clock, 0ms), lease));
    }
    void take(std::optional<Milliseconds> lease = std::nullopt) {
        tryLock(lease);
        answer(nothing);
    }
    void unlock() {
        const ReentrantLock lock = client->reentrantLock(LockName("L"));
        (void)test::start(lock.unlock(owner));
    }
    void answer(const QByteArray& reply) {
        QVERIFY(!link().takeCommands().isEmpty());
        link().reply(reply);
    }
    void callAgain() {
        tryLock();
        unlock();
        client->checkHolds(LockName("L"));
    }
    void remove() {
        client.reset();
        shards.reset();
    }

    test::ManualClock clock;
    test::FakeServer server;
    std::unique_ptr<Shards> shards;  // null: one server
    std::unique_ptr<LockClient> client;
};

struct ClusterClientWorld : ClientWorld {
    ClusterClientWorld() : ClientWorld(std::make_unique<test::FakeShards>(2)) {}
    [[nodiscard]] test::FakeShards& cluster() const { return static_cast<test::FakeShards&>(*shards); }
};

// The master is searched among servers.
struct RouteWorld {
    RouteWorld() {
        topology::Deployment deployment;
        deployment.servers = {Address{QStringLiteral("a"), 6379}};
        const topology::Dialer dialer([make = server.factory()](const redis::Endpoint&) { return make(); });
        route = std::make_unique<topology::Route>(deployment, connectionOptions(), clock, dialer);
        client = std::make_unique<LockClient>(connectionOptions(), route->shards(), clock);
    }
    void callAgain() {
        client->close();
        client->open();
    }
    void remove() {
        client.reset();
        route.reset();
    }

    test::ManualClock clock;
    test::FakeServer server;
    std::unique_ptr<topology::Route> route;
    std::unique_ptr<LockClient> client;
};

struct ConnectionWorld {
    ConnectionWorld() {
        redis::ConnectionOptions options = connectionOptions();
        options.role = redis::WantedRole::Known;
        connection = std::make_unique<Connection>(options, server.factory(), clock);
    }
    void open() {
        connection->open();
        server.acceptAll();
    }
    void callAgain() {
        (void)connection->send(get);
        connection->close();
        connection->open();
    }
    void remove() { connection.reset(); }

    test::ManualClock clock;
    test::FakeServer server;
    std::unique_ptr<Connection> connection;
};

struct ClusterWorld {
    ClusterWorld() {
        const topology::Dialer dialer([make = server.factory()](const redis::Endpoint&) { return make(); });
        source = std::make_unique<topology::ClusterSource>(QList<Address>{{QStringLiteral("n1"), 7000}},
                                                           connectionOptions(), dialer, clock);
    }
    void answerAll() {
        server.serve([this](FakeLink& link, const QByteArrayList& command) {
            if (link.isOpen())
                link.reply(command == QByteArrayList{"CLUSTER", "INFO"} ? map.infoReply() : map.shardsReply());
        });
    }
    void open() {
        source->open();
        answerAll();
    }
    void callAgain() const {
        source->refresh();
        source->noteMoved(6, QStringLiteral("10.0.0.2:7000"));
    }
    void remove() { source.reset(); }

    test::FakeClusterMap map;
    test::ManualClock clock;
    test::FakeServer server;
    std::unique_ptr<topology::ClusterSource> source;
};

template <typename Source>
struct MasterWorld {
    explicit MasterWorld(std::unique_ptr<Source> (*make)(const topology::Dialer& dialer, Clock& clock)) {
        const topology::Dialer dialer([dial = server.factory()](const redis::Endpoint&) { return dial(); });
        source = make(dialer, clock);
        shards = std::make_unique<topology::OneShard>(server.factory(), source.get());
    }
    void callAgain() const { (void)source->find(); }
    void remove() {
        shards.reset();
        source.reset();
    }

    test::ManualClock clock;
    test::FakeServer server;
    std::unique_ptr<Source> source;
    std::unique_ptr<topology::OneShard> shards;
};

struct SentinelWorld : MasterWorld<topology::SentinelSource> {
    SentinelWorld()
        : MasterWorld([](const topology::Dialer& dialer, Clock& clock) {
              topology::SentinelGroup group;
              group.sentinels = {Address{QStringLiteral("s1"), 26379}};
              group.masterName = "orders";
              return std::make_unique<topology::SentinelSource>(group, redis::Endpoint(), dialer, clock);
          }) {}
    void findIt() {
        (void)source->find();
        server.serve([](FakeLink& link, const QByteArrayList& command) {
            if (!link.isOpen())
                return;
            if (command.first() == "SUBSCRIBE")
                link.reply(">3\r\n" + test::bulk("subscribe") + test::bulk("+switch-master") + test::number(1));
            else
                link.reply("*2\r\n" + test::bulk("10.0.0.7") + test::bulk("6380"));
        });
    }
};

struct ReplicaWorld : MasterWorld<topology::ReplicaSource> {
    ReplicaWorld()
        : MasterWorld([](const topology::Dialer& dialer, Clock& clock) {
              const QList<Address> servers{{QStringLiteral("a"), 6379}};
              return std::make_unique<topology::ReplicaSource>(servers, redis::ConnectionOptions(), dialer, clock);
          }) {}
    void findIt() {
        (void)source->find();
        server.lastLink().shakeHands("master", {{"ROLE", masterRole}});
    }
};

enum class Socket { Tcp, TcpByQt, Unix, Tls };

// A transport of the library to a server of Qt's.
template <Socket kind>
struct SocketWorld {
    SocketWorld() {
        redis::Endpoint endpoint;
        if constexpr (kind == Socket::Unix) {
            endpoint.unixPath = folder.filePath(QStringLiteral("socket"));
            unixServer.listen(endpoint.unixPath);
        } else if constexpr (kind == Socket::Tls) {
            certificates.emplace().issue(QStringLiteral("server"), QStringLiteral("IP:127.0.0.1"));
            endpoint.security = redis::Security::Tls;
            endpoint.caFile = certificates->authority();
            tcpServer = makeTlsServer();
        } else {
            tcpServer = std::make_unique<QTcpServer>();
        }
        if (tcpServer) {
            tcpServer->listen(QHostAddress::LocalHost);
            endpoint.port = tcpServer->serverPort();
        }
        const bool isByQt = kind == Socket::TcpByQt;
        const QList<platform::StreamKind> kinds = platform::streamKinds();
        transport = redis::makeSocketTransport(endpoint, isByQt ? kinds.last() : kinds.first());
    }
    void connectToServer() {
        const QSignalSpy opened(transport.get(), &Transport::opened);
        transport->open();
        QVERIFY(test::becomesTrue([&] { return !opened.isEmpty() && accepted(); }));
    }
    bool accepted() {
        if (tcpServer && !tcpPeer)
            tcpPeer = tcpServer->nextPendingConnection();
        if (!tcpServer && !unixPeer)
            unixPeer = unixServer.nextPendingConnection();
        return tcpPeer || unixPeer;
    }
    void sendBytes() const {
        QIODevice* const peer = tcpPeer ? static_cast<QIODevice*>(tcpPeer) : unixPeer;
        peer->write("x");
    }
    void endConnection() const {
        if (tcpPeer)
            tcpPeer->abort();
        else
            unixPeer->abort();
    }
    void stopListening() {
        if (tcpServer)
            tcpServer->close();
        unixServer.close();
    }
    void callAgain() const {
        transport->write("x");
        (void)transport->readAll();
        transport->close();
    }
    void remove() { transport.reset(); }

    const QTemporaryDir folder;
    std::optional<test::Certificates> certificates;
    std::unique_ptr<QTcpServer> tcpServer;
    QLocalServer unixServer;
    QTcpSocket* tcpPeer = nullptr;     // belongs to its server
    QLocalSocket* unixPeer = nullptr;  // as well
    std::unique_ptr<Transport> transport;

private:
    std::unique_ptr<QTcpServer> makeTlsServer() const {
        const QString name = QStringLiteral("server");
        QFile key(certificates->key(name));
        if (!key.open(QIODevice::ReadOnly))
            qFatal("the key of the test's server cannot be read");
        QSslConfiguration configuration;
        configuration.setLocalCertificate(QSslCertificate::fromPath(certificates->certificate(name)).value(0));
        configuration.setPrivateKey(QSslKey(key.readAll(), QSsl::Ec));
        auto server = std::make_unique<QSslServer>();
        server->setSslConfiguration(configuration);
        return server;
    }
};

// ---- the table: each public signal, and what causes it ----

class Scene {
public:
    Scene() = default;
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;
    virtual ~Scene() = default;
    virtual void connectTo(const Slot& slot) = 0;
    virtual void cause() = 0;
    virtual void callAgain() = 0;
    virtual void remove() = 0;
};

template <typename World>
class SceneIn final : public Scene {
public:
    using Connect = void (*)(World& world, const Slot& slot);
    using Step = void (*)(World& world);

    SceneIn(Connect connect, Step prepare, Step cause) : m_connect(connect), m_cause(cause) {
        if (prepare)
            prepare(m_world);
    }
    void connectTo(const Slot& slot) override { m_connect(m_world, slot); }
    void cause() override { m_cause(m_world); }
    void callAgain() override { m_world.callAgain(); }
    void remove() override { m_world.remove(); }

private:
    World m_world;
    const Connect m_connect;
    const Step m_cause;
};

struct Row {
    QByteArray signal;
    const char* cause;
    std::function<std::unique_ptr<Scene>()> make;
};

class Table {
public:
    Table() {
        addClient();
        addConnections();
        addConnection();
        addTopology();
        addSocket<Socket::Tcp>("TCP");
        addSocket<Socket::TcpByQt>("TCP, by Qt");
        addSocket<Socket::Unix>("Unix");
        addSocket<Socket::Tls>("TLS");
    }
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

private:
    template <typename World>
    void add(const char* signal, const char* cause, typename SceneIn<World>::Connect connect,
             typename SceneIn<World>::Step prepare, typename SceneIn<World>::Step run) {
        m_rows.push_back({signal, cause, [=] { return std::make_unique<SceneIn<World>>(connect, prepare, run); }});
    }

    void addLoss(const char* cause, SceneIn<ClientWorld>::Step prepare, SceneIn<ClientWorld>::Step run) {
        add<ClientWorld>(
            "LockClient::lockLost", cause,
            [](ClientWorld& w, const Slot& slot) { hook(w.client.get(), &LockClient::lockLost, slot); }, prepare, run);
    }
    void addClient() {
        addLoss(
            "its lease ends",
            [](ClientWorld& w) {
                w.open();
                w.take(1s);
            },
            [](ClientWorld& w) { w.clock.advance(1s); });
        addLoss(
            "a renewal finds it gone",
            [](ClientWorld& w) {
                w.open();
                w.take();
                w.clock.advance(10s);
            },
            [](ClientWorld& w) { w.answer("*1\r\n:0\r\n"); });
        addLoss(
            "a read finds it gone",
            [](ClientWorld& w) {
                w.open(tracking);
                w.take();
                w.clock.advance(HeldTracking::firstRead);
            },
            [](ClientWorld& w) { w.answer(ok + "*3\r\n:-2\r\n$0\r\n\r\n:0\r\n"); });
        addLoss(
            "the reconciliation after a reconnect finds it gone",
            [](ClientWorld& w) {
                w.open();
                w.take(60s);
                w.take(60s);
                w.unlock();
                (void)w.link().takeCommands();
                w.link().lose();
                w.clock.advance(100ms);
                w.server.acceptAll();
            },
            [](ClientWorld& w) { w.answer(test::number(0)); });
        addLoss(
            "a late release found no hold",
            [](ClientWorld& w) {
                w.open();
                w.take(60s);
                w.take(60s);
                w.unlock();
                w.clock.advance(w.client->options().commandTimeout);
            },
            [](ClientWorld& w) { w.answer(nothing); });
        addLoss(
            "a reentry finds its lease over",
            [](ClientWorld& w) {
                w.open();
                w.take(1s);
                w.tryLock(1s);
                w.clock.passUnnoticed(2s);
            },
            [](ClientWorld& w) { w.answer(nothing); });
        add<ClientWorld>(
            "LockClient::acquirePostponed", "too few replicas",
            [](ClientWorld& w, const Slot& slot) { hook(w.client.get(), &LockClient::acquirePostponed, slot); },
            [](ClientWorld& w) {
                w.open();
                const ReentrantLock lock = w.client->reentrantLock(LockName("L"));
                (void)test::start(lock.lock(ClientWorld::owner));
            },
            [](ClientWorld& w) { w.answer("-NOREPLICAS Not enough good replicas to write.\r\n"); });
        add<ClientWorld>(
            "LockClient::heldChanged", "an acquire",
            [](ClientWorld& w, const Slot& slot) { hook(w.client.get(), &LockClient::heldChanged, slot); },
            [](ClientWorld& w) {
                w.open();
                w.tryLock();
            },
            [](ClientWorld& w) { w.answer(nothing); });
        add<ClientWorld>(
            "LockClient::lossDetectionChanged", "a server that refuses",
            [](ClientWorld& w, const Slot& slot) { hook(w.client.get(), &LockClient::lossDetectionChanged, slot); },
            nullptr, [](ClientWorld& w) { w.open(); });
    }

    template <Connection::State state>
    void addState(const char* cause, SceneIn<ClientWorld>::Step prepare, SceneIn<ClientWorld>::Step run) {
        add<ClientWorld>(
            "ShardConnections::stateChanged", cause,
            [](ClientWorld& w, const Slot& slot) { hookState(w.connections(), state, slot); }, prepare, run);
    }
    void addConnections() {
        using State = Connection::State;
        const auto open = [](ClientWorld& w) { w.open(); };
        addState<State::Opening>("opening", nullptr, [](ClientWorld& w) { w.client->open(); });
        addState<State::Ready>("ready", nullptr, open);
        addState<State::Waiting>("lost", open, [](ClientWorld& w) { w.link().lose(); });
        addState<State::Waiting>(
            "lost with a command under way",
            [](ClientWorld& w) {
                w.open();
                w.tryLock();
                (void)w.link().takeCommands();
            },
            [](ClientWorld& w) { w.link().lose(); });
        addState<State::Closed>("closed", open, [](ClientWorld& w) { w.client->close(); });
        add<ClusterClientWorld>(
            "ShardConnections::stateChanged", "opening, for a call that needs it",
            [](ClusterClientWorld& w, const Slot& slot) { hookState(w.connections(), State::Opening, slot); },
            [](ClusterClientWorld& w) { w.client->open(); },
            [](ClusterClientWorld& w) { w.tryLock({}, w.cluster().keyOf(1)); });
        add<ClusterClientWorld>(
            "ShardConnections::stateChanged", "closed, because its shard is gone",
            [](ClusterClientWorld& w, const Slot& slot) { hookState(w.connections(), State::Closed, slot); },
            [](ClusterClientWorld& w) {
                w.client->open();
                for (const quint32 shard : {0, 1})
                    w.tryLock({}, w.cluster().keyOf(shard));
                test::turnEventLoop();
                w.cluster().server(0).acceptAll();
            },
            [](ClusterClientWorld& w) {
                w.cluster().remove(0);
                w.cluster().tellChanged();
            });
        add<RouteWorld>(
            "ShardConnections::stateChanged", "no master is found",
            [](RouteWorld& w, const Slot& slot) { hookState(&w.client->connections(), State::Waiting, slot); },
            [](RouteWorld& w) {
                w.client->open();
                w.server.lastLink().lose(ErrorCode::ConnectionRefused);
            },
            [](RouteWorld& w) { w.clock.advance(3s); });
        add<ClientWorld>(
            "ShardConnections::pushReceived", "a push",
            [](ClientWorld& w, const Slot& slot) { hook(w.connections(), &ShardConnections::pushReceived, slot); },
            [](ClientWorld& w) { w.open(tracking); }, [](ClientWorld& w) { w.link().reply(test::invalidation("k")); });
        add<ClientWorld>(
            "ShardConnections::denied", "a command",
            [](ClientWorld& w, const Slot& slot) { hook(w.connections(), &ShardConnections::denied, slot); },
            [](ClientWorld& w) {
                w.open();
                (void)w.connections()->send("k", get);
            },
            [](ClientWorld& w) { w.answer(test::noPermission("get")); });
        add<ClusterClientWorld>(
            "ShardConnections::ownersChanged", "the shards change",
            [](ClusterClientWorld& w, const Slot& slot) {
                hook(w.connections(), &ShardConnections::ownersChanged, slot);
            },
            [](ClusterClientWorld& w) { w.client->open(); }, [](ClusterClientWorld& w) { w.cluster().tellChanged(); });
    }

    template <Connection::State state>
    void addState(const char* cause, SceneIn<ConnectionWorld>::Step prepare, SceneIn<ConnectionWorld>::Step run) {
        add<ConnectionWorld>(
            "Connection::stateChanged", cause,
            [](ConnectionWorld& w, const Slot& slot) { hookState(w.connection.get(), state, slot); }, prepare, run);
    }
    void addConnection() {
        using State = Connection::State;
        const auto open = [](ConnectionWorld& w) { w.open(); };
        addState<State::Opening>("opening", nullptr, [](ConnectionWorld& w) { w.connection->open(); });
        addState<State::Handshaking>("handshaking", nullptr, open);
        addState<State::Ready>("ready", nullptr, open);
        addState<State::Waiting>("lost", open, [](ConnectionWorld& w) { w.server.lastLink().lose(); });
        addState<State::Closed>("closed", open, [](ConnectionWorld& w) { w.connection->close(); });
        add<ConnectionWorld>(
            "Connection::pushReceived", "a message",
            [](ConnectionWorld& w, const Slot& slot) { hook(w.connection.get(), &Connection::pushReceived, slot); },
            [](ConnectionWorld& w) {
                w.open();
                (void)w.connection->send(Command("SUBSCRIBE", {"c"}));
                (void)w.server.lastLink().takeCommands();
                w.server.lastLink().reply(">3\r\n" + test::bulk("subscribe") + test::bulk("c") + test::number(1));
            },
            [](ConnectionWorld& w) {
                w.server.lastLink().reply(test::pushOf({"message", "c", "x"}));
            });
        add<ConnectionWorld>(
            "Connection::roleRead", "the role is read again",
            [](ConnectionWorld& w, const Slot& slot) { hook(w.connection.get(), &Connection::roleRead, slot); },
            [](ConnectionWorld& w) {
                w.open();
                w.clock.advance(w.connection->options().roleInterval);
                (void)w.server.lastLink().takeCommands();
            },
            [](ConnectionWorld& w) { w.server.lastLink().reply(masterRole); });
        add<ConnectionWorld>(
            "Connection::denied", "a command",
            [](ConnectionWorld& w, const Slot& slot) { hook(w.connection.get(), &Connection::denied, slot); },
            [](ConnectionWorld& w) {
                w.open();
                (void)w.connection->send(get);
                (void)w.server.lastLink().takeCommands();
            },
            [](ConnectionWorld& w) { w.server.lastLink().reply(test::noPermission("get")); });
    }

    void addTopology() {
        const auto changed = [](ClusterWorld& w, const Slot& slot) { hook(w.source.get(), &Shards::changed, slot); };
        add<ClusterWorld>("Shards::changed", "a node answers", changed, nullptr, [](ClusterWorld& w) { w.open(); });
        add<ClusterWorld>(
            "Shards::changed", "a MOVED", changed, [](ClusterWorld& w) { w.open(); },
            [](ClusterWorld& w) { w.source->noteMoved(5, QStringLiteral("10.0.0.3:7000")); });
        add<ClusterWorld>(
            "Shards::failed", "no node answers",
            [](ClusterWorld& w, const Slot& slot) { hook(w.source.get(), &Shards::failed, slot); },
            [](ClusterWorld& w) { w.source->open(); },
            [](ClusterWorld& w) { w.server.lastLink().lose(ErrorCode::ConnectionRefused); });
        add<SentinelWorld>(
            "Shards::changed", "another master",
            [](SentinelWorld& w, const Slot& slot) { hook(w.shards.get(), &Shards::changed, slot); }, nullptr,
            [](SentinelWorld& w) { w.findIt(); });
        add<SentinelWorld>(
            "MasterSource::masterChanged", "a Sentinel answers",
            [](SentinelWorld& w, const Slot& slot) { hook(w.source.get(), &MasterSource::masterChanged, slot); },
            nullptr, [](SentinelWorld& w) { w.findIt(); });
        add<SentinelWorld>(
            "MasterSource::masterChanged", "a failover",
            [](SentinelWorld& w, const Slot& slot) { hook(w.source.get(), &MasterSource::masterChanged, slot); },
            [](SentinelWorld& w) { w.findIt(); },
            [](SentinelWorld& w) {
                w.server.lastLink().reply(
                    test::pushOf({"message", "+switch-master", "orders 10.0.0.7 6380 10.0.0.8 6380"}));
            });
        add<ReplicaWorld>(
            "MasterSource::masterChanged", "a server answers",
            [](ReplicaWorld& w, const Slot& slot) { hook(w.source.get(), &MasterSource::masterChanged, slot); },
            nullptr, [](ReplicaWorld& w) { w.findIt(); });
    }

    template <Socket kind>
    void addSocket(const char* name) {
        using World = SocketWorld<kind>;
        add<World>(
            "Transport::opened", name,
            [](World& w, const Slot& slot) { hook(w.transport.get(), &Transport::opened, slot); }, nullptr,
            [](World& w) { w.transport->open(); });
        add<World>(
            "Transport::readyRead", name,
            [](World& w, const Slot& slot) { hook(w.transport.get(), &Transport::readyRead, slot); },
            [](World& w) { w.connectToServer(); }, [](World& w) { w.sendBytes(); });
        const auto failed = [](World& w, const Slot& slot) { hook(w.transport.get(), &Transport::failed, slot); };
        add<World>(
            "Transport::failed", name, failed, [](World& w) { w.connectToServer(); },
            [](World& w) { w.endConnection(); });
        add<World>(
            "Transport::failed", name, failed, [](World& w) { w.stopListening(); },
            [](World& w) { w.transport->open(); });
    }

    std::vector<Row> m_rows;
};

const Table& table() {
    static const Table all;
    return all;
}

// What a slot may do.
enum class Deed { Deletes, CallsAgain, RunsEventLoop };

void runEventLoop() {
    QEventLoop loop;
    QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    loop.exec();
}

// ---- what the headers declare ----

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList publicHeaders() {
    static const QRegularExpression list(QStringLiteral("set\\(public_headers\\s([^)]*)\\)"));
    const QString headers = list.match(textOf(test::places::core() + QStringLiteral("/install.cmake"))).captured(1);
    return headers.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
}

// "Class::signal" for each signal of a header.
QStringList signalsIn(const QString& header) {
    static const QRegularExpression classes(QStringLiteral("^class (?:LOCKKEEPER_EXPORT )?(\\w+)[^;]*\\{$"));
    static const QRegularExpression functions(QStringLiteral("^    void (\\w+)\\("));
    static const QRegularExpression ends(QStringLiteral("^(public|protected|private|\\})"));
    QStringList found;
    QString inClass;
    bool areSignals = false;
    for (const QString& line : header.split(u'\n')) {
        if (const auto begin = classes.match(line); begin.hasMatch())
            inClass = begin.captured(1);
        if (ends.match(line).hasMatch())
            areSignals = false;
        if (line == u"Q_SIGNALS:" || line == u"signals:")
            areSignals = true;
        const auto function = functions.match(line);
        if (areSignals && function.hasMatch())
            found += inClass + QStringLiteral("::") + function.captured(1);
    }
    return found;
}

}  // namespace

// A slot of any signal of the library may delete the sender and its owners, call the sender again, or run an event
// loop. Run with AddressSanitizer, this finds a sender that uses what is deleted.
class TestPublicSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A new signal needs a row above.
    void eachSignalOfThePublicHeadersIsInTheTable() {
        QSet<QString> declared;
        for (const QString& header : publicHeaders()) {
            const QString text = textOf(test::places::core() + u'/' + header);
            QVERIFY2(!text.isEmpty(), qPrintable(header));
            for (const QString& signal : signalsIn(text))
                declared += signal;
        }
        QSet<QString> listed;
        for (const Row& row : table().rows())
            listed += QString::fromLatin1(row.signal);
        QVERIFY(declared.contains(QStringLiteral("LockClient::lockLost")));
        QCOMPARE((declared - listed).values(), QStringList());
        QCOMPARE((listed - declared).values(), QStringList());
    }

    void aSlotMay_data() {
        QTest::addColumn<size_t>("row");
        QTest::addColumn<Deed>("deed");
        const QList<std::pair<const char*, Deed>> deeds{{"delete the sender", Deed::Deletes},
                                                        {"call it again", Deed::CallsAgain},
                                                        {"run an event loop", Deed::RunsEventLoop}};
        for (size_t i = 0; i < table().rows().size(); ++i) {
            const Row& row = table().rows()[i];
            for (const auto& [name, deed] : deeds)
                QTest::addRow("%s, %s: %s (%zu)", row.signal.constData(), row.cause, name, i) << i << deed;
        }
    }
    void aSlotMay() {
        QFETCH(const size_t, row);
        QFETCH(const Deed, deed);
        const std::unique_ptr<Scene> scene = table().rows()[row].make();
        int calls = 0;
        scene->connectTo([&] {
            if (++calls > 1)
                return;  // caused by the first call
            if (deed == Deed::Deletes)
                scene->remove();
            else if (deed == Deed::CallsAgain)
                scene->callAgain();
            else
                runEventLoop();
        });
        scene->cause();
        QTRY_VERIFY(calls > 0);
        test::turnEventLoop();
        if (deed == Deed::Deletes)
            QCOMPARE(calls, 1);
    }
};

LOCKKEEPER_TEST(TestPublicSignals, Guiless)

}  // namespace tst_publicsignals

#include "tst_publicsignals.moc"
