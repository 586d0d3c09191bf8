#pragma once

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace lockkeeper::test {

// Settings in a file of that folder, with nothing in them, whatever an earlier test has left there.
inline std::unique_ptr<QSettings> emptySettings(const QTemporaryDir& directory) {
    auto settings =
        std::make_unique<QSettings>(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    settings->clear();
    return settings;
}

}  // namespace lockkeeper::test
