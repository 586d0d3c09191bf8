// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

namespace lockkeeper::profile {

// Why a configuration file of Redisson or Spring gives no connection. A line is a number, for a file that another one
// names or contains followed by its name in brackets. In brackets: what Error::arguments holds. A new one also
// needs a number for recordings: see core/recording/enumnumbers.h.
enum class RedissonCause {
    TooLarge,          // [the limit in bytes]
    NotText,           // not UTF-8
    Syntax,            // [line, the parser's reason]
    TabIndent,         // a tab where YAML takes spaces [line]
    TooDeep,           // [line]
    TooManySettings,   // [the limit]
    NoServers,         // neither Redisson's settings that name servers nor those of Spring
    TwoServers,        // more than one of the settings that name servers [line, the second one]
    Pro,               // of Redisson PRO [line, setting]
    NoValue,           // the value is not a single text [line, setting]
    NoList,            // [line, setting]
    NoGroup,           // not a group of settings [line, setting]
    Missing,           // [line, setting]
    CommentedOut,      // what is missing is there as a comment [line, setting]
    NoAddress,         // [line, setting]
    SeveralAddresses,  // of a single server [line, setting]
    NoPort,            // [line, setting]
    NoDatabase,        // [line, setting]
    NoTime,            // [line, setting, the least milliseconds]
    NoSwitch,          // neither true nor false [line, setting]
    MixedTls,          // [line, setting]
    Variables,         // variables without a value [their names]
    Profiles,          // servers are only in the documents of profiles of Spring [their names]
    NoProfile,         // no document is for this profile [the profile, then those that there are]
    OtherFolder,       // names a file outside of the folder [line, setting]
    FileMissing,       // names a file that is not beside it [line, setting, the file]
    NoArchive,         // [the system's reason]
    NoConfiguration,   // an archive or a ConfigMap without a file that may name servers
    SeveralFiles,      // which of them? [their names]
    TooManyAddresses,  // [line, setting, the limit]
    TooManyFiles,      // that have to be read [the limit, the limit of their bytes]
    TooManyDocuments,  // [the limit]
    TooMuchText,       // that variables stand for [the limit in characters]
    OpenQuote,         // the rest of the file is in it [line]
    Cyclic,            // variables refer to each other [their names]
    NotBase64,         // of a Secret [line, entry]
    EntryTooLarge,     // of an archive [its name, the limit in bytes]
    EntryNotRead,      // of an archive [its name, the system's reason]
    EntryEncrypted,    // of an archive [its name]
    ImportNotRead,     // no servers in what was read, and this was not read [locations]
    SeveralObjects     // of Kubernetes; which of them? [their names]
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(RedissonCause);

}  // namespace lockkeeper::profile
