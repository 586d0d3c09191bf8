// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::lab {

// Which servers a laboratory has.
struct ServersPlan {
    enum class Form {
        Independent,  // `count` servers that do not know of each other
        Replicated    // 0 is a master, and 1 its replica
    };
    Form form = Form::Independent;
    int count = 1;
};

}  // namespace lockkeeper::lab
