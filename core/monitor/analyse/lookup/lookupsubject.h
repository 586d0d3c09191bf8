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
    UnlockFailed  // as the client's error reports: it released a lock that it does not hold
};

// A holder, client or lock that a pasted text mentions.
struct LOCKKEEPER_MONITOR_EXPORT LookupSubject {
    std::variant<HolderId, ClientId, LockName> whom;
    LookupOccasion occasion = LookupOccasion::Mentioned;
    // When the error happened, by the clock of the machine that wrote the text. Nothing if the text gives no time zone,
    // because such a time is ambiguous.
    std::optional<WallTime> at;

    // The client of the subject; nothing if the subject is a lock.
    [[nodiscard]] std::optional<ClientId> client() const;
    [[nodiscard]] const HolderId* holder() const { return std::get_if<HolderId>(&whom); }
    friend bool operator==(const LookupSubject&, const LookupSubject&) = default;
};

}  // namespace lockkeeper::monitor
