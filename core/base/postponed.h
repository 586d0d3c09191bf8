// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QEvent>

namespace lockkeeper {

// Deletes what deleteLater() has postponed in this thread, for a thread whose event loop ends. One call of Qt deletes
// only what was postponed before it; but a connection postpones the deletion of its transport, and that of its socket.
inline void deletePostponed() {
    constexpr int depth = 2;
    for (int i = 0; i < depth; ++i)
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

}  // namespace lockkeeper
