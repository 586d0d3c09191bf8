// SPDX-License-Identifier: Apache-2.0
#include "profile/redissoncause.h"

#include <QCoreApplication>

namespace lockkeeper::profile {

namespace {

const char* sentenceOf(RedissonCause cause) {
    switch (cause) {
        case RedissonCause::TooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the file has more than %1 bytes");
        case RedissonCause::NotText:
            return QT_TRANSLATE_NOOP("CauseText", "the file is not text in UTF-8");
        case RedissonCause::Syntax:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: neither YAML nor JSON: %2");
        case RedissonCause::NoServers:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the file names no servers: none of singleServerConfig, masterSlaveServersConfig, sentinelServersConfig, clusterServersConfig and replicatedServersConfig");
        case RedissonCause::TwoServers:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: the file names servers already, so '%2' is one too many");
        case RedissonCause::Twice:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is there twice");
        case RedissonCause::NoValue:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a single text or number");
        case RedissonCause::NoList:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a list");
        case RedissonCause::NoGroup:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a group of settings");
        case RedissonCause::Missing:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is missing");
        case RedissonCause::NoAddress:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is no address such as redis://host:6379");
        case RedissonCause::NoDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: 'database' must be a number, 0 or more");
        case RedissonCause::MixedTls:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' has addresses with TLS and without");
        case RedissonCause::Variables:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the file has variables without a value, set them in the environment: %*");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(RedissonCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return sentenceOf(static_cast<RedissonCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::profile
