// SPDX-License-Identifier: Apache-2.0
#include "serve/servecause.h"

#include <QCoreApplication>

namespace lockkeeper::serve {

namespace {

const char* sentenceOf(ServeCause cause) {
    switch (cause) {
        case ServeCause::UnknownSetting:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "unknown setting '%1' in line %2: it may have tls_server_config (cert_file, "
                                     "key_file, client_auth_type, client_ca_file, min_version) and basic_auth_users");
        case ServeCause::NotASetting:
            return QT_TRANSLATE_NOOP("CauseText", "the value of '%1' in line %2 has another form than it must have");
        case ServeCause::CertificateMissing:
            return QT_TRANSLATE_NOOP("CauseText", "tls_server_config needs both cert_file and key_file");
        case ServeCause::CertificateUnreadable:
            return QT_TRANSLATE_NOOP("CauseText", "no certificate can be read from %1");
        case ServeCause::KeyUnreadable:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "no key can be read from %1: it must be an RSA or EC key without a pass phrase");
        case ServeCause::KeyOfOther:
            return QT_TRANSLATE_NOOP("CauseText", "the key in %1 is not that of the certificate in %2");
        case ServeCause::ClientAuthority:
            return QT_TRANSLATE_NOOP("CauseText", "no authority can be read from %1");
        case ServeCause::ClientCheckUnknown:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "client_auth_type is NoClientCert or RequireAndVerifyClientCert, not '%1'");
        case ServeCause::ClientAuthorityMissing:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "client_ca_file goes with client_auth_type "
                                     "RequireAndVerifyClientCert, and each needs the other");
        case ServeCause::TlsVersionUnknown:
            return QT_TRANSLATE_NOOP("CauseText", "min_version is TLS12 or TLS13, not '%1'");
        case ServeCause::NotAHash:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the password of '%1' is not a bcrypt hash, as htpasswd -nB NAME prints it");
        case ServeCause::HashCost:
            return QT_TRANSLATE_NOOP("CauseText", "the cost of the hash of '%1' must be %2 to %3");
        case ServeCause::TooManyUsers:
            return QT_TRANSLATE_NOOP("CauseText", "basic_auth_users has more than %1 users");
        case ServeCause::EmptyFile:
            return QT_TRANSLATE_NOOP("CauseText", "it has neither tls_server_config nor basic_auth_users");
        case ServeCause::NoHashesHere:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "this program was built without bcrypt, so it has no "
                                     "basic_auth_users");
        case ServeCause::OptionsTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the file is larger than %1 bytes");
        case ServeCause::OptionsNotUtf8:
            return QT_TRANSLATE_NOOP("CauseText", "line %1 is not UTF-8");
        case ServeCause::OptionNameInvalid:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "line %1 has no option: '%2'; write 'option = value', or # in front of a comment");
        case ServeCause::OptionNotInFile:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' cannot stand in a file of options");
        case ServeCause::OptionWithoutValue:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' takes a value: write '%2 = value'");
        case ServeCause::OptionWithValue:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' takes no value: write it alone");
        case ServeCause::WebhookInvalid:
            return QT_TRANSLATE_NOOP("CauseText", "the webhook is no URL such as https://host/path");
        case ServeCause::WebhookNotHttps:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the webhook is not https: names of locks would be sent in plain text; --insecure allows it");
        case ServeCause::NoCertificateInFile:
            return QT_TRANSLATE_NOOP("CauseText", "%1 has no certificate in PEM");
        case ServeCause::Redirected:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the receiver answers with a redirect (HTTP %1), which is not followed: use the "
                                     "URL to which it leads");
        case ServeCause::HttpRefused:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver answers with HTTP %1");
        case ServeCause::NotHttp:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver's answer is not HTTP");
        case ServeCause::AnswerTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver's answer is larger than %1 bytes");
        case ServeCause::AnswerCutOff:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver closed the connection before its answer was whole");
        case ServeCause::NotAccepted:
            return QT_TRANSLATE_NOOP("CauseText", "the receiver does not accept the message (its code: %1)");
        case ServeCause::CommandEmpty:
            return QT_TRANSLATE_NOOP("CauseText", "the command is empty, or a quote in it has no end");
        case ServeCause::CommandNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "cannot run %1: %2");
        case ServeCause::CommandFailed:
            return QT_TRANSLATE_NOOP("CauseText", "the command ended with exit code %1");
        case ServeCause::CommandCrashed:
            return QT_TRANSLATE_NOOP("CauseText", "the command was ended by a signal");
        case ServeCause::CommandNotInTime:
            return QT_TRANSLATE_NOOP("CauseText", "the command did not end within %1 s, and was killed");
        case ServeCause::TemplateNotJson:
            return QT_TRANSLATE_NOOP("CauseText", "the template is no JSON object: %1");
        case ServeCause::TemplatePlaceholder:
            return QT_TRANSLATE_NOOP("CauseText", "the template has an unknown placeholder: ${%1}");
        case ServeCause::TemplateTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the template is larger than %1 bytes");
        case ServeCause::StateInUse:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "another notifier uses the folder %1: give each one its own by --state");
        case ServeCause::StateNotRead:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is damaged, and was set aside");
        case ServeCause::MessageTooOld:
            return QT_TRANSLATE_NOOP("CauseText", "the message could not be delivered for %1 hours");
        case ServeCause::QueueFull:
            return QT_TRANSLATE_NOOP("CauseText", "more than %1 messages wait for the receiver");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(ServeCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<ServeCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::serve
