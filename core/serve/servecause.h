// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace lockkeeper::serve {

// Reasons of what runs as a service. In brackets: what Error::arguments holds. No argument has a URL: its path may be a
// secret.
enum class ServeCause {
    // A file that says who may read an endpoint
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
    NoHashesHere,  // this system cannot verify bcrypt
    // A file of options
    OptionsTooLarge,     // [the limit in bytes]
    OptionsNotUtf8,      // [number of the line]
    OptionNameInvalid,   // [number of the line, what stands there]
    OptionNotInFile,     // [number of the line, the option]
    OptionWithoutValue,  // [number of the line, the option]
    OptionWithValue,     // [number of the line, the option]
    // A receiver of messages
    WebhookInvalid,
    WebhookNotHttps,
    NoCertificateInFile,  // [file]
    Redirected,           // [HTTP status]
    HttpRefused,          // [HTTP status]
    NotHttp,
    AnswerTooLarge,     // [the limit in bytes]
    AnswerCutOff,       // the receiver closed before its answer was whole
    NotAccepted,        // [the receiver's own code]
    CommandEmpty,       // or its quotes do not match
    CommandNotStarted,  // [program, the system's reason]
    CommandFailed,      // [exit code]
    CommandCrashed,     //
    CommandNotInTime,   // [seconds]
    // A template
    TemplateNotJson,      // [the reason]
    TemplatePlaceholder,  // [the name of a placeholder]
    TemplateTooLarge,     // [the limit in bytes]
    // The state on disk
    StateInUse,     // [folder]
    StateNotRead,   // [file]
    MessageTooOld,  // [hours]
    QueueFull       // [how many messages it holds]
};

[[nodiscard]] const CauseTable& causeTable(ServeCause);

}  // namespace lockkeeper::serve
