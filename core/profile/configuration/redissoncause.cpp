// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/redissoncause.h"

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
        case RedissonCause::TabIndent:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: a tab indents the line, YAML takes spaces only");
        case RedissonCause::TooDeep:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: groups and lists are nested too deeply");
        case RedissonCause::TooManySettings:
            return QT_TRANSLATE_NOOP("CauseText", "the file has more than %1 settings");
        case RedissonCause::NoServers:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the file names no servers: none of singleServerConfig, masterSlaveServersConfig, sentinelServersConfig, clusterServersConfig and replicatedServersConfig, and no spring.data.redis");
        case RedissonCause::TwoServers:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: the file names servers already, so '%2' is one too many");
        case RedissonCause::Pro:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "line %1: '%2' is of Redisson PRO and stands for several independent servers: connect to one of them, by its URL");
        case RedissonCause::NoValue:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a single text or number");
        case RedissonCause::NoList:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a list");
        case RedissonCause::NoGroup:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a group of settings");
        case RedissonCause::Missing:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is missing");
        case RedissonCause::CommentedOut:
            return QT_TRANSLATE_NOOP("CauseText", "'%2' is missing: it stands in line %1, but as a comment");
        case RedissonCause::NoAddress:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "line %1: '%2' is no address such as redis://host:6379 (special characters of a password are percent-encoded)");
        case RedissonCause::SeveralAddresses:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "line %1: '%2' must be one address; several servers are the nodeAddresses of replicatedServersConfig or clusterServersConfig");
        case RedissonCause::NoPort:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a port, 1 to 65535");
        case RedissonCause::NoDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a number, 0 or more");
        case RedissonCause::NoTime:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a number of milliseconds, %3 or more");
        case RedissonCause::NoSwitch:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be true or false");
        case RedissonCause::MixedTls:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' has addresses with TLS and without");
        case RedissonCause::Variables:
            return QT_TRANSLATE_NOOP("CauseText", "the file has variables without a value: %*");
        case RedissonCause::Profiles:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "servers are named for profiles of Spring only, choose one of them: %*");
        case RedissonCause::NoProfile:
            return QT_TRANSLATE_NOOP("CauseText", "no profile '%1' in the file");
        case RedissonCause::OtherFolder:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "line %1: '%2' names a file outside of this folder, which is not opened: open that file instead");
        case RedissonCause::FileMissing:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' names the file %3, which is not beside this one");
        case RedissonCause::NoArchive:
            return QT_TRANSLATE_NOOP("CauseText", "the archive cannot be read: %1");
        case RedissonCause::NoConfiguration:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "there is no application.yml, application.properties or redisson.yaml in it");
        case RedissonCause::SeveralFiles:
            return QT_TRANSLATE_NOOP("CauseText", "several files in it may be meant, open one of them alone: %*");
        case RedissonCause::TooManyAddresses:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' has more than %3 addresses");
        case RedissonCause::TooManyFiles:
            return QT_TRANSLATE_NOOP("CauseText", "it has more than %1 configurations, or more than %2 bytes of them");
        case RedissonCause::TooManyDocuments:
            return QT_TRANSLATE_NOOP("CauseText", "the file has more than %1 documents");
        case RedissonCause::TooMuchText:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "with the values of its variables the file has more than %1 characters");
        case RedissonCause::OpenQuote:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: a quote is not closed");
        case RedissonCause::Cyclic:
            return QT_TRANSLATE_NOOP("CauseText", "variables refer to each other: %*");
        case RedissonCause::NotBase64:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is not text in Base64");
        case RedissonCause::EntryTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "%1 in the archive has more than %2 bytes");
        case RedissonCause::EntryNotRead:
            return QT_TRANSLATE_NOOP("CauseText", "%1 in the archive cannot be read: %2");
        case RedissonCause::EntryEncrypted:
            return QT_TRANSLATE_NOOP(
                "CauseText", "%1 in the archive is encrypted: extract it with its password, and open that file");
        case RedissonCause::ImportNotRead:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the file names no servers, and what it imports is not read: %*. Save those settings in a file beside it, and import that");
        case RedissonCause::SeveralObjects:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "several objects of Kubernetes in it have configurations, save one of them in a file of its own: %*");
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
