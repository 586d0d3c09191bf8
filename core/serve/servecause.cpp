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
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(ServeCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<ServeCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::serve
