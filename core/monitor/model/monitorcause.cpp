// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/monitorcause.h"

#include <QCoreApplication>

namespace lockkeeper::monitor {

namespace {

const char* sentenceOf(MonitorCause cause) {
    switch (cause) {
        case MonitorCause::MonitorUnderWay:
            return QT_TRANSLATE_NOOP("CauseText", "another MONITOR is under way");
        case MonitorCause::RightsRestored:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the server allows what it has refused before, so that everything is read again");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(MonitorCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return sentenceOf(static_cast<MonitorCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::monitor
