// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/waitgraph.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <deque>

namespace lockkeeper::monitor {

namespace {

// Edges by their waiter, as indices into WaitGraph::edges.
using EdgesOf = QHash<HolderId, std::vector<size_t>>;

void addEdgesOf(WaitGraph& graph, const HolderId& waiter, const LockSnapshot& lock, bool isByThread) {
    for (const Holder& holder : lock.holders) {
        if (graph.edges.size() < mostWaitEdges)
            graph.edges.push_back({waiter, lock.name, holder.id, isByThread});
        else
            ++graph.edgesLeftOut;
    }
}

void addEdges(WaitGraph& graph, const LockSnapshot& lock, const QList<HolderId>& byThreads) {
    for (const FairWaiter& waiter : lock.fairQueue)
        addEdgesOf(graph, waiter.id, lock, false);
    for (const HolderId& thread : byThreads) {
        if (!lock.isQueued(thread))
            addEdgesOf(graph, thread, lock, true);
    }
}

bool hasUnnamedWaiters(const LockSnapshot& lock) {
    return lock.isHeld() && lock.fairQueue.isEmpty() && lock.waiters.value_or(0) > 0;
}

EdgesOf edgesByWaiter(const std::vector<WaitEdge>& edges) {
    EdgesOf byWaiter;
    for (size_t i = 0; i < edges.size(); ++i)
        byWaiter[edges[i].waiter].push_back(i);
    return byWaiter;
}

// Tarjan's strongly connected components. Not recursive: a long chain of waiters would overflow the stack.
class Components {
public:
    Components(const std::vector<WaitEdge>& edges, const EdgesOf& edgesOf) : m_edges(edges), m_edgesOf(edgesOf) {
        for (const WaitEdge& edge : edges) {
            if (!m_nodes.contains(edge.waiter))
                visitFrom(edge.waiter);
        }
    }

    // Holders with the same component wait for each other. Numbered from 1.
    [[nodiscard]] int of(const HolderId& owner) const { return m_nodes.value(owner).component; }

private:
    struct Node {
        int index = 0;
        int low = 0;        // lowest index on the present path that it reaches
        int component = 0;  // 0: still on the stack
    };
    struct Visit {
        HolderId owner;
        size_t nextEdge = 0;
    };

    void visitFrom(const HolderId& first) {
        std::vector<Visit> path;
        beginVisit(path, first);
        while (!path.empty()) {
            Visit& visit = path.back();
            const auto edges = m_edgesOf.constFind(visit.owner);
            if (edges != m_edgesOf.cend() && visit.nextEdge < edges->size())
                follow(path, m_edges[(*edges)[visit.nextEdge++]].holder);
            else
                endVisit(path);
        }
    }

    void beginVisit(std::vector<Visit>& path, const HolderId& owner) {
        const int index = static_cast<int>(m_nodes.size()) + 1;
        m_nodes.insert(owner, Node{index, index, 0});
        m_stack.push_back(owner);
        path.push_back({owner});
    }

    void follow(std::vector<Visit>& path, const HolderId& next) {
        const auto known = m_nodes.constFind(next);
        if (known == m_nodes.cend())
            beginVisit(path, next);
        else if (known->component == 0)
            lower(path.back().owner, known->index);
    }

    void endVisit(std::vector<Visit>& path) {
        const HolderId owner = path.back().owner;
        path.pop_back();
        const Node node = m_nodes.value(owner);
        if (node.low == node.index)
            close(owner);
        if (!path.empty())
            lower(path.back().owner, node.low);
    }

    void lower(const HolderId& owner, int low) {
        Node& node = m_nodes[owner];
        node.low = std::min(node.low, low);
    }

    void close(const HolderId& root) {
        ++m_components;
        HolderId owner;
        do {
            owner = m_stack.back();
            m_stack.pop_back();
            m_nodes[owner].component = m_components;
        } while (owner != root);
    }

    const std::vector<WaitEdge>& m_edges;
    const EdgesOf& m_edgesOf;
    QHash<HolderId, Node> m_nodes;
    std::vector<HolderId> m_stack;
    int m_components = 0;
};

// A shortest path back to the edge's waiter: breadth first, within the component.
std::vector<WaitEdge> cycleThrough(const WaitEdge& first, const std::vector<WaitEdge>& edges, const EdgesOf& edgesOf,
                                   const Components& components) {
    QHash<HolderId, size_t> cameBy;
    std::deque<HolderId> open{first.holder};
    while (!open.empty() && open.front() != first.waiter) {
        const HolderId owner = open.front();
        open.pop_front();
        for (const size_t edge : edgesOf.value(owner)) {
            const HolderId& next = edges[edge].holder;
            if (next == first.holder || cameBy.contains(next) || components.of(next) != components.of(owner))
                continue;
            cameBy.insert(next, edge);
            open.push_back(next);
        }
    }
    std::vector<WaitEdge> cycle;
    for (HolderId owner = first.waiter; owner != first.holder; owner = cycle.back().waiter)
        cycle.push_back(edges[cameBy.value(owner)]);
    cycle.push_back(first);
    std::ranges::reverse(cycle);
    return cycle;
}

std::vector<std::vector<WaitEdge>> cyclesOf(const std::vector<WaitEdge>& edges) {
    const EdgesOf edgesOf = edgesByWaiter(edges);
    const Components components(edges, edgesOf);
    std::vector<std::vector<WaitEdge>> cycles;
    QSet<int> reported;
    for (const WaitEdge& edge : edges) {
        const int component = components.of(edge.waiter);
        if (component != components.of(edge.holder) || reported.contains(component))
            continue;
        reported.insert(component);
        cycles.push_back(cycleThrough(edge, edges, edgesOf, components));
    }
    return cycles;
}

}  // namespace

WaitGraph waitGraphOf(std::span<const LockSnapshot* const> locks, const ThreadsThatWait& byThreads) {
    WaitGraph graph;
    for (const LockSnapshot* lock : locks) {
        addEdges(graph, *lock, byThreads.value(lock->name));
        if (hasUnnamedWaiters(*lock))
            graph.unnamedWaiters.append(lock->name);
    }
    graph.cycles = cyclesOf(graph.edges);
    return graph;
}

}  // namespace lockkeeper::monitor
