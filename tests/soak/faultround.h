// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/lockload.h"
#include "soak/soakchecker.h"

#include "lab/privateserver.h"

namespace lockkeeper::soak {

// Disturbs a server with one kind of fault after the other, and records when.
class FaultRound {
public:
    enum class Kind {
        Restart,  // by command; the data stays
        Kill,     // kills all connections but the load's
        Freeze,   // for 3 s
        Flush,
        Crash  // a crash after which the data is lost
    };
    static constexpr int kinds = 5;

    struct Past {
        Kind kind;
        Span when;                        // from its begin until the server answers again
        std::optional<WallTime> settled;  // when the lag was normal again; nothing: it was not before the next fault
    };

    // All of them outlive it.
    FaultRound(lab::PrivateServer& server, LockLoad& load, SoakChecker& checker);

    void next();
    // Notices that the server is back; call it often.
    void follow();
    void noteSettled(size_t number, std::optional<WallTime> settled, WallTime end);
    [[nodiscard]] const std::vector<Past>& past() const { return m_past; }

private:
    // To be called when the server answers again after the last fault.
    void noteBack();
    void kill();
    void freeze();
    void flush();
    void onStopped();

    lab::PrivateServer& m_server;
    LockLoad& m_load;
    SoakChecker& m_checker;
    std::vector<Past> m_past;
    bool m_isDown = false;  // the server, until it is back
    bool m_isStarted = false;
};

[[nodiscard]] QString wordsFor(FaultRound::Kind kind);

}  // namespace lockkeeper::soak
