// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLocalServer>

namespace lockkeeper::test {

// Reserves a TCP port of 127.0.0.1 for this test as long as the object lives, whether or not a server listens on it.
// The port is below the range that the kernel assigns, so no outgoing connection takes it. A lock socket with its
// number keeps other tests on this machine away.
class ReservedPort {
public:
    ReservedPort();

    // 0 if none was found.
    [[nodiscard]] quint16 number() const noexcept { return m_number; }

private:
    QLocalServer m_reservation;
    quint16 m_number = 0;
};

}  // namespace lockkeeper::test
