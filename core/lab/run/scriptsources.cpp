// SPDX-License-Identifier: Apache-2.0
#include "lab/run/scriptsources.h"

#include "redis/script.h"

namespace lockkeeper::lab {

void ScriptSources::note(const QByteArrayList& command) {
    if (command.value(0).toUpper() != "EVAL")
        return;
    const redis::Script script(command.value(1));
    m_sources.insert(script.sha(), script.source());
}

// Servers accept a SHA-1 in upper and lower case.
QByteArray ScriptSources::of(const QByteArrayList& command) const {
    const QByteArray name = command.value(0).toUpper();
    if (name == "EVAL")
        return command.value(1);
    return name == "EVALSHA" ? m_sources.value(command.value(1).toLower()) : QByteArray();
}

}  // namespace lockkeeper::lab
