// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lab/labids.h"

#include <vector>

namespace lockkeeper::lab {

// The locks of core/locks, and schemes that people wrote before them.
enum class LockKind {
    Reentrant,
    Fair,
    Fenced,
    Read,
    Write,
    Multi,  // of reentrant ones
    Red,    // of reentrant ones, each on a server of its own
    // SETNX, and an EXPIRE that the caller sends afterwards; DEL
    NaiveSetnx,
    // SET NX PX; DEL, also of a lock of another owner
    NaiveSet,
    // SETNX with the time of its end as value, then GET and GETSET; DEL
    NaiveTime,
    // SET NX PX with the owner as value; released by a script that compares
    NaiveOwner
};

[[nodiscard]] constexpr bool isNaive(LockKind kind) {
    return kind >= LockKind::NaiveSetnx;
}

// A lock of a scenario. The same for all of its actors.
struct LockPlan {
    struct Member {
        LockName name;
        ServerNumber server{};
    };

    LockId id;
    LockKind kind = LockKind::Reentrant;
    std::vector<Member> members;  // one, unless the kind is Multi or Red
};

}  // namespace lockkeeper::lab
