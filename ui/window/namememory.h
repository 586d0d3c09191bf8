#pragma once

#include "monitor/model/lockrow.h"

#include <QHash>

#include <vector>

class QSettings;

namespace lockkeeper::ui {

// The names of the locks that were held on a server, kept in the settings, so that the next session looks at them
// first. Bounded: the newest names of the servers that were used last.
class NameMemory {
public:
    static constexpr qsizetype mostNames = 2000;
    static constexpr qsizetype mostServers = 10;
    static constexpr qsizetype longestName = 1000;  // bytes

    // The settings outlive this.
    explicit NameMemory(QSettings& settings) : m_settings(settings) {}

    // Begins with this server, and answers what is remembered of it, newest first. Saves the one before.
    QList<LockName> open(const QString& server);
    void close();
    // Rows of this server; those of any other than the one that is open come late and are none of its.
    void note(const QString& server, const std::vector<monitor::LockRow>& rows);
    void save();

private:
    void load();
    [[nodiscard]] QList<LockName> newestFirst() const;
    void forgetOldServers();

    QSettings& m_settings;
    QString m_server;                    // empty: none is open
    QHash<LockName, quint64> m_notedAt;  // counted, not timed
    quint64 m_count = 0;
};

}  // namespace lockkeeper::ui
