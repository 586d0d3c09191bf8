// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace lockkeeper::serve {

// What is wrong with a file that says who may read an endpoint. In brackets: what Error::arguments holds.
enum class ServeCause {
    UnknownSetting,  // [setting, line]
    NotASetting,     // [setting, line]: its value is of another form
    CertificateMissing,
    CertificateUnreadable,  // [file]
    KeyUnreadable,          // [file]
    KeyOfOther,             // [key file, certificate file]
    ClientAuthority,        // [file]
    ClientCheckUnknown,     // [value]
    ClientAuthorityMissing,
    TlsVersionUnknown,  // [value]
    NotAHash,           // [user]
    HashCost,           // [user, least, most]
    TooManyUsers,       // [the limit]
    EmptyFile,
    NoHashesHere  // this system cannot verify bcrypt
};

[[nodiscard]] const CauseTable& causeTable(ServeCause);

}  // namespace lockkeeper::serve
