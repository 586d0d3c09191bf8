// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/monitortrace/tracekeys.h"

#include <functional>

namespace lockkeeper::recording {

// What a script of Redisson's does, and where its arguments stand. It is recognised by its commands, so the versions of
// one operation are the same, whatever else they contain. See core/locks/protocol.md. A value.
class LOCKKEEPER_MONITOR_EXPORT TraceScript {
public:
    enum class Operation {
        Acquire,
        AcquireFenced,
        AcquireFair,
        LeaveFair,
        AcquireRead,
        AcquireWrite,
        Renew,
        RenewRead,
        Release,
        ReleaseFair,
        ReleaseRead,
        ReleaseWrite,
        Force,
        ForceFair,
        TakePermits,
        AddPermits,
        SetCounter,
        CountDown
    };

    // Nothing if it is none of these operations.
    [[nodiscard]] static std::optional<TraceScript> recognise(const QByteArray& source);

    // A call of the script.
    struct Call {
        int database = 0;
        QByteArrayList keys;
        QByteArrayList values;
        ServerTime at{0};
        qint64 holdsBefore = 1;  // of the caller, if it holds a lock that was not seen before
    };
    // What is known of a lock before the call.
    enum class Knowledge { NotSeen, Seen };
    using KnowledgeOf = std::function<Knowledge(const TraceKey& key)>;

    // The commands that the script executes in this state, as MONITOR would have printed them.
    [[nodiscard]] std::vector<QByteArrayList> effects(const Call& call, const TraceKeys& keys,
                                                      const KnowledgeOf& knowledgeOf) const;
    [[nodiscard]] Operation operation() const noexcept { return m_operation; }
    [[nodiscard]] bool acquires() const noexcept;
    [[nodiscard]] bool releases() const noexcept;
    // The holds that a renewal or a release of one lock shows, if it succeeds: its caller has them.
    [[nodiscard]] QByteArrayList shownHolders(const Call& call) const;
    // The field of the caller in the lock's hash; empty if the call has none.
    [[nodiscard]] QByteArray holderOf(const Call& call) const { return value(call, m_holder); }

private:
    using Effects = std::vector<QByteArrayList>;
    struct State;

    [[nodiscard]] QByteArray value(const Call& call, int index) const { return call.values.value(index - 1); }
    [[nodiscard]] Effects acquire(const State& state) const;
    [[nodiscard]] Effects acquireFair(const State& state) const;
    [[nodiscard]] Effects leaveFair(const State& state) const;
    [[nodiscard]] Effects acquireRead(const State& state) const;
    [[nodiscard]] Effects acquireWrite(const State& state) const;
    [[nodiscard]] Effects renew(const State& state) const;
    [[nodiscard]] Effects renewRead(const State& state) const;
    [[nodiscard]] Effects release(const State& state) const;
    [[nodiscard]] Effects releaseRead(const State& state) const;
    [[nodiscard]] Effects releaseWrite(const State& state) const;
    [[nodiscard]] Effects force(const State& state) const;
    [[nodiscard]] Effects count(const State& state) const;

    Operation m_operation = Operation::Acquire;
    // Places of the arguments, from 1; 0: none.
    int m_lease = 0;
    int m_holder = 0;
    int m_writer = 0;
    int m_now = 0;
    int m_wait = 0;
    int m_message = 0;
    int m_amount = 0;
    int m_channel = 0;      // of the keys
    bool m_queues = false;  // a caller that does not get the fair lock joins its queue
};

}  // namespace lockkeeper::recording
