// SPDX-License-Identifier: Apache-2.0
#include "topology/clustersource.h"

#include "base/logging.h"
#include "redis/replyerrors.h"
#include "topology/mastertransport.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

// A little less than a connection may take to open, so that its error says why.
constexpr Milliseconds clusterFindTime = 4500ms;
// After this time without an answer, the next node is tried.
constexpr Milliseconds nodeTime = 1500ms;
constexpr Milliseconds ordinaryPause = 60s;
constexpr Milliseconds shortestRefreshPause = 100ms;
constexpr Milliseconds longestRefreshPause = 2s;
constexpr Milliseconds hintTime = 2s;

redis::ConnectionOptions nodeOptions(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-topology";
    options.access = redis::AccessMode::ReadOnly;
    options.role = redis::WantedRole::Any;
    options.database = 0;
    options.openTimeout = nodeTime;
    options.commandTimeout = 3s;
    options.lastRetry = 1s;  // each attempt is to another node
    return options;
}

bool isBetter(const ClusterView& view, const ClusterView& other) {
    return std::tie(view.isUp, view.epoch) > std::tie(other.isUp, other.epoch);
}

bool hasNode(const ClusterShard& shard, const QByteArray& id) {
    return shard.master.id == id ||
           std::ranges::any_of(shard.replicas, [&id](const ClusterNode& replica) { return replica.id == id; });
}

}  // namespace

// Knows the master of one shard.
class ClusterSource::ShardMaster final : public MasterSource {
public:
    ShardMaster(ClusterSource& cluster, ShardId shard) : m_cluster(cluster), m_shard(shard) {}

    [[nodiscard]] Completion<redis::Endpoint> find() override {
        Completion<redis::Endpoint> found;
        m_cluster.ask().then([found, cluster = QPointer(&m_cluster), shard = m_shard](const Result<Done>& asked) {
            const Shard* known = cluster ? cluster->find(shard) : nullptr;
            if (!asked)
                found.complete(asked.error());
            else if (known)
                found.complete(cluster->endpointOf(known->view.master));
            else
                found.complete(Error(ErrorCode::ConnectionLost, Cause::ShardGone));
        });
        return found;
    }
    void note(const redis::Endpoint& master) { Q_EMIT masterChanged(master); }

private:
    ClusterSource& m_cluster;
    const ShardId m_shard;
};

ClusterSource::ClusterSource(QList<Address> nodes, redis::ConnectionOptions options, Dialer dialer, Clock& clock)
    : m_nodes(std::move(nodes)),
      m_options(nodeOptions(std::move(options))),
      m_dialer(std::move(dialer)),
      m_clock(clock),
      m_connection(
          m_options, [this] { return dialNext(); }, clock),
      m_owners(hashSlots),
      m_pause(shortestRefreshPause) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &ClusterSource::onState);
}

ClusterSource::~ClusterSource() {
    blockSignals(true);
    m_tasks.stop();
    m_timer.stop();
}

// ---- what is known ----

QList<ShardId> ClusterSource::all() const {
    QList<ShardId> ids;
    for (const Shard& shard : m_shards)
        ids += shard.id;
    return ids;
}

std::optional<ShardId> ClusterSource::shardOf(HashSlot slot) const {
    return m_owners[slot];
}

QList<SlotRange> ClusterSource::unservedSlots() const {
    QList<SlotRange> ranges;
    for (int slot = 0; slot < hashSlots && !m_shards.empty(); ++slot) {
        if (m_owners[slot])
            continue;
        const auto number = static_cast<HashSlot>(slot);
        if (!ranges.isEmpty() && ranges.last().last + 1 == slot)
            ranges.last().last = number;
        else
            ranges += {number, number};
    }
    return ranges;
}

std::optional<Error> ClusterSource::outage() const {
    if (m_isUp)
        return std::nullopt;
    return Error(ErrorCode::ServerReply, ReplyKind::ClusterDown, QStringLiteral("cluster_state:fail"));
}

QString ClusterSource::masterOf(ShardId shard) const {
    const Shard* known = find(shard);
    return known ? known->view.master.address.display() : QString();
}

redis::TransportFactory ClusterSource::transports(ShardId shard) const {
    const Shard* known = find(shard);
    return [source = QPointer<MasterSource>(known ? known->master.get() : nullptr), dialer = m_dialer] {
        return std::make_unique<MasterTransport>(source, dialer);
    };
}

std::optional<QList<Address>> ClusterSource::replicasOf(ShardId shard) const {
    const Shard* known = find(shard);
    return known ? addressesOf(known->view.replicas) : QList<Address>();
}

redis::TransportFactory ClusterSource::transportsTo(const Address& announced) const {
    return [dialer = m_dialer, node = endpointOf(nodeAt(announced))] { return dialer.dial(node); };
}

// "host:port" without brackets also for IPv6; without a host only the port can be compared.
std::optional<ShardId> ClusterSource::shardAt(const QString& address) const {
    const qsizetype colon = address.lastIndexOf(QLatin1Char(':'));
    const QString host = address.left(colon);
    const quint16 port = address.mid(colon + 1).toUShort();
    const auto shard = std::ranges::find_if(m_shards, [&](const Shard& known) {
        const Address& master = known.view.master.address;
        return master.port == port && (host.isEmpty() || host == master.host);
    });
    return shard == m_shards.end() ? std::nullopt : std::optional(shard->id);
}

const ClusterSource::Shard* ClusterSource::find(ShardId id) const {
    const auto shard = std::ranges::find_if(m_shards, [id](const Shard& known) { return known.id == id; });
    return shard == m_shards.end() ? nullptr : &*shard;
}

redis::Endpoint ClusterSource::endpointOf(const ClusterNode& node) const {
    redis::Endpoint endpoint = endpointAt(node.address, m_options.endpoint);
    if (!node.hostName.isEmpty() && node.hostName != node.address.host)
        endpoint.announcedNames.prepend(node.hostName);
    return endpoint;
}

// ---- when to ask ----

void ClusterSource::open() {
    ask();
}

void ClusterSource::refresh() {
    const SteadyTime now = m_clock.now();
    if (now - m_answeredAt > longestRefreshPause * 5)
        m_pause = shortestRefreshPause;
    refreshAt(std::max(now, m_answeredAt + m_pause));
}

void ClusterSource::noteMoved(HashSlot slot, const QString& address) {
    refresh();
    const std::optional<ShardId> shard = shardAt(address);
    if (!shard || slot >= hashSlots)
        return;
    m_hints[slot] = {*shard, m_clock.now() + hintTime};
    if (serveSlots())
        m_changed.post();
}

void ClusterSource::refreshAt(SteadyTime when) {
    if (m_waiting.empty())
        m_timer.startBy(when);
}

Completion<Done> ClusterSource::ask() {
    m_connection.open();
    Completion<Done> answer;
    m_waiting.push_back(answer);
    if (m_waiting.size() == 1)
        m_tasks.spawn(askNodes());
    return answer;
}

// ---- asking ----

std::unique_ptr<redis::Transport> ClusterSource::dialNext() {
    const QList<Address> nodes = nodesToAsk();
    m_asked = nodes[m_next % nodes.size()];
    m_next = (m_next + 1) % nodes.size();
    return m_dialer.dial(endpointOf(nodeAt(m_asked)));
}

// The node with the names that its certificate may have, if they are known.
ClusterNode ClusterSource::nodeAt(const Address& address) const {
    for (const Shard& shard : m_shards) {
        const auto replica = std::ranges::find(shard.view.replicas, address, &ClusterNode::address);
        if (shard.view.master.address == address)
            return shard.view.master;
        if (replica != shard.view.replicas.end())
            return *replica;
    }
    return ClusterNode{{}, address, {}};
}

// Not only the user's nodes: they may all have left the Cluster since.
QList<Address> ClusterSource::nodesToAsk() const {
    QList<Address> nodes = m_nodes;
    for (const Shard& shard : m_shards) {
        for (const Address& node : QList<Address>{shard.view.master.address} + addressesOf(shard.view.replicas)) {
            if (!nodes.contains(node))
                nodes += node;
        }
    }
    return nodes;
}

void ClusterSource::onState(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready) {
        m_refusals = 0;
        m_reached.complete(Done());
    } else if (state == redis::Connection::State::Waiting && ++m_refusals >= nodesToAsk().size()) {
        m_refusals = 0;
        m_reached.complete(m_connection.lastError());
    }
}

Task<void> ClusterSource::askNodes() {
    const Deadline deadline = Deadline::in(m_clock, clusterFindTime);
    Result<ClusterView> best = Error(ErrorCode::Timeout, Cause::NoClusterNode);
    const qsizetype nodes = nodesToAsk().size();
    for (qsizetype tried = 0; tried < nodes && !deadline.hasPassed(); ++tried) {
        const Completion<Done> reaching = reachNode();
        const Result<Done> reached = co_await reaching.wait(deadline, m_tasks.stopToken());
        if (!reached) {
            best = best ? best : reached.error();
            break;
        }
        const Result<ClusterView> view = co_await askOne(deadline);
        if (m_tasks.stopToken().stop_requested())
            break;
        if (!best || (view && isBetter(*view, *best)))
            best = view;
        if (view && view->isUp && view->epoch >= m_epoch)
            break;
        askAnotherNode();
    }
    m_answeredAt = m_clock.now();
    const std::vector<Completion<Done>> waiting = std::exchange(m_waiting, {});
    const bool isNews = best && !m_tasks.stopToken().stop_requested() && apply(*best);
    m_pause = isNews ? shortestRefreshPause : std::min(m_pause * 2, longestRefreshPause);
    if (!m_tasks.stopToken().stop_requested())
        refreshAt(m_clock.now() + (best && best->isUp ? ordinaryPause : longestRefreshPause));
    if (isNews)
        m_changed.post();
    if (!best) {
        m_failure = best.error();
        m_failed.post();
    }
    for (const Completion<Done>& each : waiting)
        each.complete(best ? Result<Done>(Done()) : Result<Done>(best.error()));
}

Completion<Done> ClusterSource::reachNode() {
    if (m_connection.isReady())
        return Completion<Done>::completed(Done());
    m_reached = Completion<Done>();
    return m_reached;
}

// Falls back to the older command where the server does not have the newer one, or its user may not run it.
Task<Result<ClusterView>> ClusterSource::askOne(Deadline deadline) {
    const Command info("CLUSTER", {"INFO"});
    const Command shards("CLUSTER", {"SHARDS"});
    const Command slots("CLUSTER", {"SLOTS"});
    const Result<RespValue> state = co_await answerTo(info, deadline);
    Result<RespValue> answer = co_await answerTo(shards, deadline);
    const bool isOld = !answer && (answer.error().code == ErrorCode::ServerReply || redis::isRefusal(answer.error()));
    if (isOld)
        answer = co_await answerTo(slots, deadline);
    if (!answer)
        co_return answer.error();
    std::optional<ClusterView> view =
        isOld ? viewOfSlots(*answer, m_asked) : viewOfShards(*answer, m_asked, m_options.endpoint.security);
    if (!view)
        co_return redis::unexpectedReply(isOld ? slots : shards, *answer);
    if (state)
        addClusterInfo(state->bytes, *view);
    co_return *view;
}

Task<Result<RespValue>> ClusterSource::answerTo(Command command, Deadline deadline) {
    const Completion<RespValue> answer = m_connection.send(command);
    const Deadline limit = deadline.earlier(Deadline::in(m_clock, nodeTime));
    co_return co_await answer.wait(limit, m_tasks.stopToken());
}

void ClusterSource::askAnotherNode() {
    if (nodesToAsk().size() == 1 || !m_connection.isReady())
        return;
    m_connection.close();
    m_connection.open();
}

// ---- what has changed ----

bool ClusterSource::apply(const ClusterView& view) {
    m_epoch = view.epoch;
    const bool shardsChanged = applyShards(view);
    const bool slotsChanged = serveSlots();
    const bool stateChanged = std::exchange(m_isUp, view.isUp) != view.isUp;
    return shardsChanged || slotsChanged || stateChanged;
}

bool ClusterSource::applyShards(const ClusterView& view) {
    std::vector<Shard> before = std::exchange(m_shards, {});
    const auto take = [&before](const auto& isSame) {
        const auto same = std::ranges::find_if(before, isSame);
        Shard taken;
        if (same != before.end()) {
            taken = std::move(*same);
            before.erase(same);
        }
        return taken;
    };
    // A shard is the same one as before if it has the same master. Otherwise it is the same if the old or the new shard
    // has the other's master among its nodes.
    for (const ClusterShard& now : view.shards)
        m_shards.push_back(take([&now](const Shard& shard) { return shard.view.master.id == now.master.id; }));
    bool isChanged = false;
    for (size_t i = 0; i < view.shards.size(); ++i) {
        const ClusterShard& now = view.shards[i];
        Shard& shard = m_shards[i];
        if (!shard.master)
            shard = take([&now](const Shard& old) {
                return hasNode(old.view, now.master.id) || hasNode(now, old.view.master.id);
            });
        if (!shard.master) {
            shard.id = ShardId{++m_lastId};
            shard.master = std::make_unique<ShardMaster>(*this, shard.id);
        }
        isChanged = isChanged || shard.view != now;
        shard.view = now;
    }
    return isChanged || !before.empty();
}

// Connections to a former master end at once; the owners of these connections may delete this object.
void ClusterSource::reportChange() {
    const QPointer<ClusterSource> alive(this);
    std::vector<std::pair<QPointer<ShardMaster>, redis::Endpoint>> masters;
    for (const Shard& shard : m_shards)
        masters.emplace_back(shard.master.get(), endpointOf(shard.view.master));
    for (const auto& [master, endpoint] : masters) {
        if (master)
            master->note(endpoint);
    }
    if (alive)
        Q_EMIT changed();
}

bool ClusterSource::serveSlots() {
    std::vector<std::optional<ShardId>> owners(hashSlots);
    for (const Shard& shard : m_shards) {
        for (const SlotRange range : shard.view.ranges)
            std::fill(owners.begin() + range.first, owners.begin() + range.last + 1, shard.id);
    }
    m_hints.removeIf([this](const QHash<HashSlot, Hint>::iterator hint) {
        return hint->until <= m_clock.now() || !find(hint->shard);
    });
    for (auto hint = m_hints.constBegin(); hint != m_hints.constEnd(); ++hint)
        owners[hint.key()] = hint->shard;
    if (owners == m_owners)
        return false;
    m_owners = std::move(owners);
    return true;
}

}  // namespace lockkeeper::topology

#include "moc_clustersource.cpp"
