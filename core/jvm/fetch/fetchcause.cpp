// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/fetchcause.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::jvm {

namespace {

const char* fetchSentence(FetchCause cause) {
    switch (cause) {
        case FetchCause::UrlTemplate:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the address of the thread dump is written http://{host}:port/path or https://{host}:port/path, without a user and a password");
        case FetchCause::LoginTemplate:
            return QT_TRANSLATE_NOOP("CauseText", "the login is written user@{host} or user@{host}:port");
        case FetchCause::HostMissing:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the address of the client is not known, or is no IP address: find out who it is first, or type it");
        case FetchCause::PodName:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "'%1' is no name of Kubernetes: small letters, digits and '-' are allowed");
        case FetchCause::ForbiddenAddress:
            return QT_TRANSLATE_NOOP(
                "CauseText", "%1 is an address of the local link or of a cloud's metadata: nothing is sent there");
        case FetchCause::PasswordNotAllowed:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the password does not go to %1: the connection does not list that host, and nobody has confirmed it");
        case FetchCause::Redirected:
            return QT_TRANSLATE_NOOP("CauseText", "the server redirects to %1, which is not followed");
        case FetchCause::BadStatus:
            return QT_TRANSLATE_NOOP("CauseText", "the server answers with status %1");
        case FetchCause::LoginRefused:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the server refuses the login (status %1): check the user and the password");
        case FetchCause::NotExposed:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the server does not have this path (status 404): expose it by management.endpoints.web.exposure.include=threaddump");
        case FetchCause::TooMuch:
            return QT_TRANSLATE_NOOP("CauseText", "the answer has more than %1 MB");
        case FetchCause::ProgramNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "%1 cannot be started: %2");
        case FetchCause::ProgramFailed:
            return QT_TRANSLATE_NOOP("CauseText", "%1 has failed (exit code %3): %2");
        case FetchCause::NoSuchPort:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "no process there has a connection from port %1: it may be in a container or behind NAT, or it has connected again");
        case FetchCause::ProcessHidden:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the connection is there, but not its process: log in as the user of the process, or allow sudo");
        case FetchCause::NotJava:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the process is '%1' and not java: jcmd would send it a signal that ends other programs than a JVM");
        case FetchCause::SeveralJvms:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the container has several JVMs: dump the right one by hand, and read the file");
        case FetchCause::Busy:
            return QT_TRANSLATE_NOOP("CauseText", "another thread dump is being taken");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(FetchCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return fetchSentence(static_cast<FetchCause>(cause)); }};
    return table;
}

Error tooMuch(qsizetype limit) {
    constexpr qsizetype megabyte = 1'000'000;
    return Error(ErrorCode::Protocol, FetchCause::TooMuch, {QString::number(std::max<qsizetype>(1, limit / megabyte))});
}

}  // namespace lockkeeper::jvm
