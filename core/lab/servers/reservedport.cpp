// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/reservedport.h"

#include <QRandomGenerator>
#include <QTcpServer>

namespace lockkeeper::lab {

namespace {

constexpr int lowestPort = 15000;
constexpr int portsEnd = 32000;  // the kernel's own range begins at 32768
constexpr int portAttempts = 1000;

bool nobodyListensOn(quint16 port) {
    return QTcpServer().listen(QHostAddress::LocalHost, port);
}

}  // namespace

ReservedPort::ReservedPort() {
    m_reservation.setSocketOptions(QLocalServer::AbstractNamespaceOption);
    for (int i = 0; i < portAttempts && m_number == 0; ++i) {
        const auto port = static_cast<quint16>(QRandomGenerator::system()->bounded(lowestPort, portsEnd));
        if (!m_reservation.listen(QStringLiteral("lockkeeper-port-%1").arg(port)))
            continue;
        if (nobodyListensOn(port))
            m_number = port;
        else
            m_reservation.close();
    }
}

}  // namespace lockkeeper::lab
