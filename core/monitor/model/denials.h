#pragma once

#include "lockkeeper_monitor_export.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace lockkeeper::monitor {

// What the server does not let us do, each with what cannot be seen because of it. One for a whole Monitor.
class LOCKKEEPER_MONITOR_EXPORT Denials {
public:
    void note(const QString& command, const QString& consequence) { m_byCommand.insert(command, consequence); }
    // Rights may have changed: every part of the monitor asks again.
    void clear() { m_byCommand.clear(); }

    // "PSUBSCRIBE: unlock messages are not heard", sorted by command.
    [[nodiscard]] QStringList list() const {
        QStringList lines;
        for (auto it = m_byCommand.begin(); it != m_byCommand.end(); ++it)
            lines << it.key() + QStringLiteral(": ") + it.value();
        return lines;
    }

private:
    QMap<QString, QString> m_byCommand;
};

}  // namespace lockkeeper::monitor
