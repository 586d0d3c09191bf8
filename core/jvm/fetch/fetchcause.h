// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::jvm {

// Why no thread dump was got. In brackets: what Error::arguments holds.
enum class FetchCause {
    UrlTemplate,         // not an address of http or https with {host} as the host
    LoginTemplate,       // not user@{host}:port
    HostMissing,         // the settings need the client's address, and it is not known
    PodName,             // not as RFC 1123 allows [the name]
    ForbiddenAddress,    // of this machine's link, or of a cloud's metadata [the address]
    PasswordNotAllowed,  // the host is not listed, and not confirmed [the host]
    Redirected,          // [where to]
    BadStatus,           // [the status]
    LoginRefused,        // [the status]
    NotExposed,          // 404
    TooMuch,             // [the limit in MB]
    ProgramNotStarted,   // [the program, the system's reason]
    ProgramFailed,       // [the program, its words, its exit code]
    NoSuchPort,          // no connection of that port [the port]
    ProcessHidden,       // the connection is there, its process is not shown
    NotJava,             // [the process's name]
    SeveralJvms,
    Busy  // another one is under way
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(FetchCause);

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Error tooMuch(qsizetype limit);

}  // namespace lockkeeper::jvm
