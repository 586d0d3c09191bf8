// SPDX-License-Identifier: Apache-2.0
#include "profile/urlcause.h"

#include <QCoreApplication>

namespace lockkeeper::profile {

namespace {

const char* sentenceOf(UrlCause cause) {
    switch (cause) {
        case UrlCause::Empty:
            return QT_TRANSLATE_NOOP("CauseText", "the URL is empty");
        case UrlCause::Malformed:
            return QT_TRANSLATE_NOOP(
                "CauseText", "this is no valid URL (a special character in a password is written as %XX, '@' as %40)");
        case UrlCause::Scheme:
            return QT_TRANSLATE_NOOP("CauseText", "unknown kind of URL '%1://'");
        case UrlCause::Fragment:
            return QT_TRANSLATE_NOOP("CauseText", "unexpected '#' in the URL (in a password it is written as %23)");
        case UrlCause::PortZero:
            return QT_TRANSLATE_NOOP("CauseText", "port 0 is no port");
        case UrlCause::HostMissing:
            return QT_TRANSLATE_NOOP("CauseText", "no host in the URL");
        case UrlCause::Database:
            return QT_TRANSLATE_NOOP("CauseText", "the database must be a number, 0 or more");
        case UrlCause::PathDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "the database behind the host must be a number, 0 or more");
        case UrlCause::OptionUnknown:
            return QT_TRANSLATE_NOOP("CauseText", "unknown option '%1' in the URL");
        case UrlCause::OptionEmpty:
            return QT_TRANSLATE_NOOP("CauseText", "'%1' is empty");
        case UrlCause::Share:
            return QT_TRANSLATE_NOOP("CauseText", "the share is a percentage, 1 to 100");
        case UrlCause::UnixPath:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "a Unix socket is written with three slashes, unix:///path/to/redis.sock");
        case UrlCause::HostList:
            return QT_TRANSLATE_NOOP("CauseText", "several servers are written host:port,host:port");
        case UrlCause::MasterMissing:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the name of the master follows the Sentinels, as in redis-sentinel://host:26379/mymaster");
        case UrlCause::ClusterPath:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "only a database follows the hosts of a Cluster, and only Valkey 9 or newer has more than one there");
        case UrlCause::AddressMap:
            return QT_TRANSLATE_NOOP("CauseText", "map is written announced:port=reachable:port");
        case UrlCause::Ssh:
            return QT_TRANSLATE_NOOP("CauseText", "ssh is written user@host or user@host:port, without a password");
        case UrlCause::Fingerprint:
            return QT_TRANSLATE_NOOP("CauseText", "pin is a SHA-256 fingerprint: 64 hexadecimal digits");
        case UrlCause::TlsVersion:
            return QT_TRANSLATE_NOOP("CauseText", "tls-min is 1.2 or 1.3");
        case UrlCause::Seconds:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is a number of seconds, from %2 to those of a year");
        case UrlCause::YesNo:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is yes or no");
        case UrlCause::RedissonVersion:
            return QT_TRANSLATE_NOOP("CauseText", "redisson is a version such as 3.45.1");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(UrlCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<UrlCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::profile
