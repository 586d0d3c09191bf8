// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>
#include <QHash>

namespace lockkeeper::lab {

// The texts of the scripts that an EVAL has shown; EVALSHA only names a script. A value.
class LOCKKEEPER_MONITOR_EXPORT ScriptSources {
public:
    // command: any command, with its arguments.
    void note(const QByteArrayList& command);
    // The text of the script that an EVAL or EVALSHA runs; empty if it was never shown, and for any other command.
    [[nodiscard]] QByteArray of(const QByteArrayList& command) const;

private:
    QHash<QByteArray, QByteArray> m_sources;  // by SHA-1
};

}  // namespace lockkeeper::lab
