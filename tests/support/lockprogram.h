// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/anylock.h"
#include "support/clusterclient.h"

namespace lockkeeper::test {

// A program with locks in a Cluster. At first it knows one node only.
class LockProgram : public ClusterClient {
public:
    struct Loss {
        LockName name;
        locks::LossReason why;
        SteadyTime at{};
    };

    LockProgram(const QString& node, Clock& clock, const locks::LockClientOptions& options,
                const redis::ConnectionOptions& connections = connectionOptions(),
                redis::Publishing publishing = redis::Publishing::PlainAndSharded)
        : ClusterClient(node, clock, options, publishing, connections) {
        QObject::connect(&client(), &locks::LockClient::lockLost,
                         [this, &clock](const locks::HoldKey& key, locks::LossReason why) {
                             losses.push_back({key.name, why, clock.now()});
                         });
    }

    [[nodiscard]] AnyLock lock(Kind kind, const QByteArray& name) { return AnyLock(kind, {&client()}, LockName(name)); }
    [[nodiscard]] QList<LockName> lostNames() const {
        QList<LockName> names;
        for (const Loss& loss : losses)
            names += loss.name;
        return names;
    }

    // Each lost lock with the reason, for messages of a test.
    [[nodiscard]] QByteArray lossWords() const {
        QByteArray words;
        for (const Loss& loss : losses)
            words += loss.name.bytes() + ": " + QByteArray::number(static_cast<int>(loss.why)) + "; ";
        return words;
    }

    std::vector<Loss> losses;
};

}  // namespace lockkeeper::test
