// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lab/labids.h"

#include <vector>

namespace lockkeeper::lab {

// The locks of core/locks, and schemes that people wrote before such libraries.
enum class LockKind {
    Reentrant,
    Fair,
    Fenced,
    Read,
    Write,
    Multi,  // of reentrant locks
    Red,    // of reentrant locks, each on a server of its own
    // SETNX, and an EXPIRE that the caller sends afterwards; released by DEL
    NaiveSetnx,
    // SET NX PX; released by DEL, even if another owner has the lock
    NaiveSet,
    // SETNX with the time of the lock's end as value, then GET and GETSET; released by DEL
    NaiveTime,
    // SET NX PX with the owner as value; released by a script that compares
    NaiveOwner
};

[[nodiscard]] constexpr bool isNaive(LockKind kind) {
    return kind >= LockKind::NaiveSetnx;
}

// A lock of a scenario, the same for all of its actors.
struct LockPlan {
    struct Member {
        LockName name;
        ServerNumber server{};
    };

    LockId id;
    LockKind kind = LockKind::Reentrant;
    std::vector<Member> members;  // one member, unless the kind is Multi or Red
};

}  // namespace lockkeeper::lab
