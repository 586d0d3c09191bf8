// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

// Whether the server tracks the keys of a confirmed lock since that read (Tracked), so that it reports each later
// change, or not (Untracked).
enum class Confirmation { Untracked, Tracked };

}  // namespace lockkeeper::monitor
