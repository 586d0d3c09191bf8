// SPDX-License-Identifier: Apache-2.0
#include "lab/labcause.h"

#include <QCoreApplication>

namespace lockkeeper::lab {

namespace {

const char* sentenceOf(LabCause cause) {
    switch (cause) {
        case LabCause::NoServerProgram:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "redis-server or valkey-server is needed, and neither is in the PATH: install one of them");
        case LabCause::ServerNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "redis-server does not start: %1");
        case LabCause::ServerEnded:
            return QT_TRANSLATE_NOOP("CauseText", "redis-server ended: %1");
        case LabCause::SocketPathTooLong:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the name of the folder %1 is too long for the sockets of servers in it: set the variable "
                "TMPDIR to a folder whose name has at most %2 bytes");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(LabCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<LabCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::lab
