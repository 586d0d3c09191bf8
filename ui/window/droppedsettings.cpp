// SPDX-License-Identifier: Apache-2.0
#include "ui/window/droppedsettings.h"

#include "ui/base/messagebar.h"
#include "ui/base/storedvalues.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"
#include "ui/words/locktext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct DroppedSettings {
    Q_DECLARE_TR_FUNCTIONS(DroppedSettings)
};

}  // namespace

void postDroppedSettings(QSettings& settings, MainWindow& window) {
    constexpr qsizetype mostNamed = 300;  // characters
    const QString keys = takeDropped(settings).join(QStringLiteral(", "));
    if (keys.isEmpty())
        return;
    const auto message = [keys, file = settings.fileName()] {
        return Message{Tone::Warning,
                       DroppedSettings::tr(
                           "Some settings in %1 cannot be used: %2. They were removed, and what they were for is as "
                           "at first; set it again if you need it.")
                           .arg(file, shortened(keys, mostNamed))};
    };
    // A connection that the command line asks for takes the place of the start page before anybody has read it there.
    window.messages().post(message);
    window.currentPage().messages().post(message);
}

}  // namespace lockkeeper::ui
