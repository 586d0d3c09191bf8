// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "base/ids.h"

#include <optional>

namespace lockkeeper::monitor {

// Which locks a node keeps, for the readers on its connections. Implemented by NodeWatch.
class NodeScope {
public:
    // Whether keys are kept by slot; all keys of a command must then be in one slot.
    [[nodiscard]] virtual bool isInCluster() const = 0;
    // Whether this node keeps the lock, as far as the places of the slots are known.
    [[nodiscard]] virtual bool keeps(const LockName& name) const = 0;
    // "host:port" of the node's master; empty where it is always the same server.
    [[nodiscard]] virtual QString master() const { return {}; }
    // A read of this name has ended. refusal: the node refused the read for now (redis::isRefusedByNode()); nothing: it
    // was answered.
    virtual void noteRead(const LockName& name, const std::optional<Error>& refusal) const {
        Q_UNUSED(name)
        Q_UNUSED(refusal)
    }
    // A reply showed that the known places of the slots are outdated.
    virtual void noteMovedKeys() const = 0;

protected:
    NodeScope() = default;
    ~NodeScope() = default;
};

// A server without a Cluster: it keeps all locks.
class WholeServer final : public NodeScope {
public:
    [[nodiscard]] bool isInCluster() const override { return false; }
    [[nodiscard]] bool keeps(const LockName& name) const override {
        Q_UNUSED(name)
        return true;
    }
    void noteMovedKeys() const override {}
};

[[nodiscard]] inline const NodeScope& wholeServer() {
    static const WholeServer server;
    return server;
}

}  // namespace lockkeeper::monitor
