// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/notices/notifier.h"

#include <functional>

class QDBusMessage;

namespace lockkeeper::ui {

// Notifies by the desktop's own service, org.freedesktop.Notifications on the session bus; needs no icon in a tray.
// Connects to the bus at its first use.
class BusNotifier final : public Notifier {
    Q_OBJECT
public:
    using Notifier::Notifier;

    void show(const QString& title, const QString& text) override;
    void probe() override;

private:
    void learnMarkup(std::function<void(const std::optional<Error>& problem)> done);
    void send(const QString& title, const QString& text);

    enum class Markup { NotAsked, None, Understood };
    Markup m_markup = Markup::NotAsked;
    uint m_last = 0;  // the next one replaces it, so that at most one is on the screen
};

}  // namespace lockkeeper::ui
