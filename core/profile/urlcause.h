// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::profile {

// What is wrong with a URL. In brackets: what Error::arguments holds. A new one also needs a number for recordings: see
// core/recording/enumnumbers.h.
enum class UrlCause {
    Empty,
    Malformed,
    Scheme,  // [scheme]
    Fragment,
    PortZero,
    HostMissing,
    Database,       // a database in the query
    PathDatabase,   // a database in the path
    OptionUnknown,  // [option]
    OptionEmpty,    // [option]
    Share,
    UnixPath,
    HostList,
    MasterMissing,  // no name of a master in the path
    ClusterPath,
    AddressMap,
    Ssh,
    Fingerprint,
    TlsVersion,
    Seconds,  // [option, the least number]
    YesNo,    // [option]
    RedissonVersion
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(UrlCause);

}  // namespace lockkeeper::profile
