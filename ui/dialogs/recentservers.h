#pragma once

#include <QStringList>

class QSettings;

namespace lockkeeper::ui {

// The addresses of servers connected to before, the last one first; never with a password.
class RecentServers {
public:
    // settings: outlives this.
    explicit RecentServers(QSettings& settings) : m_settings(settings) {}

    [[nodiscard]] QStringList urls() const;
    // As ConnectionProfile::urlWithoutPassword() gives it. The oldest goes beyond ten.
    void add(const QString& urlWithoutPassword);

private:
    QSettings& m_settings;
};

}  // namespace lockkeeper::ui
