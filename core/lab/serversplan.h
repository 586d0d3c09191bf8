// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::lab {

// Which servers a laboratory has.
struct ServersPlan {
    enum class Form {
        Independent,  // `count` servers that do not know of each other
        Replicated,   // 0 is a master, and 1 its replica
        Sentinel,     // as Replicated, and a Sentinel that watches them; actors ask it for the master
        Cluster       // `count` masters, which share the slots evenly and in order
    };
    Form form = Form::Independent;
    int count = 1;

    [[nodiscard]] constexpr bool hasReplica() const { return form == Form::Replicated || form == Form::Sentinel; }
};

}  // namespace lockkeeper::lab
