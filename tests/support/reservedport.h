#pragma once

#include <QLocalServer>

namespace lockkeeper::test {

// A TCP port of 127.0.0.1 for this test alone, as long as the object lives, whether somebody listens on it or not. It
// lies below those that the kernel gives out by itself, so that nobody's outgoing connection takes it, and a socket of
// its name keeps other tests of this machine away.
class ReservedPort {
public:
    ReservedPort();

    // 0: none was found.
    [[nodiscard]] quint16 number() const noexcept { return m_number; }

private:
    QLocalServer m_reservation;
    quint16 m_number = 0;
};

}  // namespace lockkeeper::test
