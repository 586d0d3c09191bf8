#pragma once

namespace lockkeeper::monitor {

// What a look proves is from then on told of by the server whenever it changes (Tracked), or not (Untracked).
enum class Proof { Untracked, Tracked };

}  // namespace lockkeeper::monitor
