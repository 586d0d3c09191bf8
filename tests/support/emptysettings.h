// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSettings>
#include <QTemporaryDir>

#include <memory>

namespace lockkeeper::test {

// Empty settings in a file of that folder; removes what an earlier test has left in it.
inline std::unique_ptr<QSettings> emptySettings(const QTemporaryDir& directory) {
    auto settings =
        std::make_unique<QSettings>(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    settings->clear();
    return settings;
}

}  // namespace lockkeeper::test
