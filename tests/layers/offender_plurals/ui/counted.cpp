// SPDX-License-Identifier: Apache-2.0
// A plural that no catalogue knows.
#include <QObject>

QString counted(int locks) {
    return QObject::tr("%Ln forgotten lock(s)", nullptr, locks);
}
