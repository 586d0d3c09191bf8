#include "ui/dialogs/recentservers.h"

#include <QSettings>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype rememberedAtMost = 10;
const auto settingsKey = QStringLiteral("connection/recent");

}  // namespace

QStringList RecentServers::urls() const {
    return m_settings.value(settingsKey).toStringList();
}

void RecentServers::add(const QString& urlWithoutPassword) {
    QStringList known = urls();
    known.removeAll(urlWithoutPassword);
    known.prepend(urlWithoutPassword);
    m_settings.setValue(settingsKey, QStringList(known.first(std::min(known.size(), rememberedAtMost))));
}

}  // namespace lockkeeper::ui
