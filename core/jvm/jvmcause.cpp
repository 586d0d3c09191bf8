// SPDX-License-Identifier: Apache-2.0
#include "jvm/jvmcause.h"

#include <QCoreApplication>

namespace lockkeeper::jvm {

namespace {

const char* sentenceOf(JvmCause cause) {
    switch (cause) {
        case JvmCause::TooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the file has more than %1 MB");
        case JvmCause::NotUnpacked:
            return QT_TRANSLATE_NOOP("CauseText", "the file begins as gzip and cannot be unpacked");
        case JvmCause::NoDump:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "no thread dump in it: known are those of jstack, jcmd (Thread.print and Thread.dump_to_file), kill -3, Spring Boot's /threaddump, Arthas's thread, and OpenJ9's javacore");
        case JvmCause::Syntax:
            return QT_TRANSLATE_NOOP("CauseText", "it begins as JSON, and is not: %1");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(JvmCause) {
    static constexpr CauseTable table{[](int cause, qsizetype) { return sentenceOf(static_cast<JvmCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::jvm
