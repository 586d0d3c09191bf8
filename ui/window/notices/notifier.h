// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QObject>

#include <optional>

namespace lockkeeper::ui {

// Why the desktop shows no notification.
enum class DesktopCause { NoSessionBus };

[[nodiscard]] const CauseTable& causeTable(DesktopCause);

// Shows a notification on the desktop, outside the window. Answers come later, by signal; nothing blocks.
class Notifier : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Plain text.
    virtual void show(const QString& title, const QString& text) = 0;
    // Asks whether a notification can be shown; probed() answers.
    virtual void probe() = 0;

Q_SIGNALS:
    // problem: why none can be shown; nothing when one can.
    void probed(const std::optional<lockkeeper::Error>& problem);
    void failed(const lockkeeper::Error& problem);
};

}  // namespace lockkeeper::ui
