// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>
#include <QHash>

namespace lockkeeper::lab {

// The scripts that EVAL has shown whole: EVALSHA only names them. A value.
class LOCKKEEPER_MONITOR_EXPORT ScriptSources {
public:
    // command: any, with its arguments.
    void note(const QByteArrayList& command);
    // Of the script that an EVAL or EVALSHA runs; empty if it was never shown whole, and for any other command.
    [[nodiscard]] QByteArray of(const QByteArrayList& command) const;

private:
    QHash<QByteArray, QByteArray> m_sources;  // by SHA-1
};

}  // namespace lockkeeper::lab
