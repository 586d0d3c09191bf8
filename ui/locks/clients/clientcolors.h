// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QColor>
#include <QHash>
#include <QIcon>

#include <vector>

class QPalette;

namespace lockkeeper::monitor {
struct LockEvent;
struct LockSnapshot;
struct MonitorBatch;
}  // namespace lockkeeper::monitor

namespace lockkeeper::ui {

// Which color and shape stand for a client in every view of one session. They are given in the order in which clients
// appear, so that clients that appear together differ, and stay the same for the session. Thread: the GUI's.
class ClientColors {
public:
    static constexpr int colors = 8;
    static constexpr int shapes = 4;
    // A further client gets a color by its UUID, which needs no memory.
    static constexpr qsizetype rememberedAtMost = 20'000;

    // The clients that hold or await the lock have appeared.
    void note(const monitor::LockSnapshot& lock);
    void note(const ClientId& client);
    // Notes the clients of the events, then those of the rows.
    void note(const std::vector<monitor::LockEvent>& events);
    void note(const monitor::MonitorBatch& batch);
    // Forgets all clients, for another server.
    void clear() { m_order.clear(); }

    // The index of the client, below colors * shapes; it counts through the colors first.
    [[nodiscard]] int of(const ClientId& client) const;

private:
    QHash<ClientId, int> m_order;
};

// Reads well on the palette's Base, light or dark. index: of ClientColors.
[[nodiscard]] QColor clientColor(const QPalette& palette, int index);
// A small shape in that color, in the application's palette at the time it is painted.
[[nodiscard]] QIcon clientIcon(int index);

}  // namespace lockkeeper::ui
