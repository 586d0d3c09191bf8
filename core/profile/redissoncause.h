// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::profile {

// Why a configuration file of Redisson gives no connection. In brackets: what Error::arguments holds. A new one also
// needs a number for recordings: see core/recording/enumnumbers.h.
enum class RedissonCause {
    TooLarge,    // [the limit in bytes]
    NotText,     // not UTF-8
    Syntax,      // [line, the parser's reason]
    NoServers,   // none of the five settings that name servers is there
    TwoServers,  // more than one of the five settings that name servers [line, the second one]
    Twice,       // a setting is there twice [line, setting]
    NoValue,     // the value is not a single text [line, setting]
    NoList,      // [line, setting]
    NoGroup,     // not a group of settings [line, setting]
    Missing,     // [line, setting]
    NoAddress,   // [line, setting]
    NoDatabase,  // [line]
    MixedTls,    // [line, setting]
    Variables    // variables without a value [their names]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(RedissonCause);

}  // namespace lockkeeper::profile
