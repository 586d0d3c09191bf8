// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/clients/storedaliases.h"

#include "ui/base/storedvalues.h"

namespace lockkeeper::ui {

HolderAliases storedAliases(QSettings& settings) {
    (void)storedTexts(settings, HolderAliases::settingsKey(), HolderAliases::keptAtMost, HolderAliases::isEntry);
    return HolderAliases::load(settings);
}

}  // namespace lockkeeper::ui
