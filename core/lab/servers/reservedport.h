// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QLocalServer>

namespace lockkeeper::lab {

// Reserves a TCP port of 127.0.0.1 for this program for the lifetime of the object, whether or not a server listens on
// it. The port is below the range that the kernel assigns, so no outgoing connection uses it. A lock socket with its
// number excludes other programs that reserve ports in the same way.
class LOCKKEEPER_MONITOR_EXPORT ReservedPort {
public:
    ReservedPort();

    // 0 if none was found.
    [[nodiscard]] quint16 number() const noexcept { return m_number; }

private:
    QLocalServer m_reservation;
    quint16 m_number = 0;
};

}  // namespace lockkeeper::lab
