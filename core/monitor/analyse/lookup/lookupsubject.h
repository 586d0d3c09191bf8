// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <variant>

namespace lockkeeper::monitor {

enum class LookupOccasion {
    Mentioned,
    UnlockFailed  // by the client's error: it released a lock that it does not hold
};

// A holder, client or lock that a pasted text mentions.
struct LOCKKEEPER_MONITOR_EXPORT LookupSubject {
    std::variant<HolderId, ClientId, LockName> whom;
    LookupOccasion occasion = LookupOccasion::Mentioned;
    // When it happened, by the clock of the machine that wrote the text; only if the time has a zone, else it is
    // ambiguous.
    std::optional<WallTime> at;

    // Nothing if the subject is a lock.
    [[nodiscard]] std::optional<ClientId> client() const;
    [[nodiscard]] const HolderId* holder() const { return std::get_if<HolderId>(&whom); }
    friend bool operator==(const LookupSubject&, const LookupSubject&) = default;
};

}  // namespace lockkeeper::monitor
