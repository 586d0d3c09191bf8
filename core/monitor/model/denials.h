#pragma once

#include "lockkeeper_monitor_export.h"

#include <QMap>
#include <QString>
#include <QStringList>

namespace lockkeeper::monitor {

// The commands that the server refuses to this user, each with what cannot be seen because of it. One object serves a
// whole Monitor.
class LOCKKEEPER_MONITOR_EXPORT Denials {
public:
    void note(const QString& command, const QString& consequence) { m_byCommand.insert(command, consequence); }
    // After a reconnect the user's rights may have changed: every part of the monitor tries its commands again.
    void clear() { m_byCommand.clear(); }

    // Lines such as "PUBSUB: who waits for a lock is not known", sorted by command.
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
