// SPDX-License-Identifier: Apache-2.0
#include "profile/profilecause.h"

#include <QCoreApplication>

namespace lockkeeper::profile {

namespace {

const char* sentenceOf(ProfileCause cause) {
    switch (cause) {
        case ProfileCause::ProfilesNotReadable:
            return QT_TRANSLATE_NOOP("CauseText", "these profiles could not be read again from a file");
        case ProfileCause::DamagedNotRenamed:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is damaged, and cannot be renamed");
        case ProfileCause::LaterVersionNotRenamed:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 was written by a later version of Lockkeeper, and cannot be renamed");
        case ProfileCause::FileRenamed:
            return QT_TRANSLATE_NOOP("CauseText", "%1 could not be used, and was renamed to %2");
        case ProfileCause::BackupRestored:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 could not be used, and was renamed to %2; its backup took its place");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(ProfileCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return sentenceOf(static_cast<ProfileCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::profile
