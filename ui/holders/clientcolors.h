// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QColor>
#include <QHash>
#include <QIcon>

class QPalette;

namespace lockkeeper::monitor {
struct LockSnapshot;
}

namespace lockkeeper::ui {

// Which colour and shape stand for a client in every view of one session. They are given in the order in which clients
// appear, so that clients that appear together differ, and stay the same for the session. Thread: the GUI's.
class ClientColors {
public:
    static constexpr int colors = 8;
    static constexpr int shapes = 4;
    // A further client gets a colour by its UUID, which needs no memory.
    static constexpr qsizetype rememberedAtMost = 20'000;

    // The clients that hold or await the lock have appeared.
    void note(const monitor::LockSnapshot& lock);
    void note(const ClientId& client);
    // For another server.
    void clear() { m_order.clear(); }

    // Below colors * shapes: counts through the colours first.
    [[nodiscard]] int of(const ClientId& client) const;

private:
    QHash<ClientId, int> m_order;
};

// Reads well on the palette's Base, light or dark. index: of ClientColors.
[[nodiscard]] QColor clientColor(const QPalette& palette, int index);
// A small shape in that colour, in the application's palette at the time it is painted.
[[nodiscard]] QIcon clientIcon(int index);

}  // namespace lockkeeper::ui
