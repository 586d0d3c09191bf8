// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStandardPaths>
#include <QString>

namespace lockkeeper::app {

// Where the window keeps the history. To be called once the application has its name.
[[nodiscard]] inline QString historyPath() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/history.sqlite");
}

}  // namespace lockkeeper::app
