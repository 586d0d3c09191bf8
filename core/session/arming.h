// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "control/writingdenials.h"

#include <QMetaType>

#include <optional>

namespace lockkeeper {

enum class ArmingState {
    ReadOnly,  // no command that writes can be sent: the session has no connection that may send one
    Armed,
    Draining  // no longer armed: held locks are renewed and may be released, nothing else is written
};

// Why a session is no longer armed.
enum class ArmingEnd { None, ByHand, TimeOver, ConnectionLost };

// Whether a session may write at the moment. Immutable value.
struct Arming {
    ArmingState state = ArmingState::ReadOnly;
    std::optional<SteadyTime> until;  // Armed: nothing for the demo, which stays armed until it is disarmed
    ArmingEnd ended = ArmingEnd::None;
    std::optional<Error> error;            // only for ConnectionLost
    QList<control::WritingDenial> denied;  // since the session was armed last; stays known afterwards
    control::RightsInAdvance rightsInAdvance = control::RightsInAdvance::Unknown;  // known as long as `denied`

    [[nodiscard]] bool wasEverArmed() const noexcept {
        return state != ArmingState::ReadOnly || ended != ArmingEnd::None;
    }
    [[nodiscard]] bool isArmed() const noexcept { return state == ArmingState::Armed; }
    friend bool operator==(const Arming&, const Arming&) = default;
};

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::Arming)
