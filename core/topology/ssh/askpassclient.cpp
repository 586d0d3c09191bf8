// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/askpassclient.h"

#include <QDataStream>

namespace lockkeeper::topology {

bool AskpassClient::isWanted() {
    return qEnvironmentVariableIsSet(askpassSocketVariable) && qEnvironmentVariableIsSet(askpassTokenVariable);
}

void AskpassClient::ask(const QByteArray& words) {
    const auto refuse = [this] {
        if (!std::exchange(m_over, true))
            Q_EMIT refused();
    };
    connect(&m_socket, &QLocalSocket::connected, this, [this, words] { send(words); });
    connect(&m_socket, &QLocalSocket::readyRead, this, &AskpassClient::receive);
    connect(&m_socket, &QLocalSocket::disconnected, this, refuse);
    // After the answer the server ends the connection, which is no error.
    connect(&m_socket, &QLocalSocket::errorOccurred, this, refuse, Qt::QueuedConnection);
    m_socket.connectToServer(qEnvironmentVariable(askpassSocketVariable));
}

void AskpassClient::send(const QByteArray& words) {
    QDataStream stream(&m_socket);
    stream << qgetenv(askpassTokenVariable) << qgetenv("SSH_ASKPASS_PROMPT") << words;
}

void AskpassClient::receive() {
    QDataStream stream(&m_socket);
    QByteArray answer;
    stream.startTransaction();
    stream >> answer;
    if (stream.commitTransaction() && !std::exchange(m_over, true))
        Q_EMIT answered(answer);
}

}  // namespace lockkeeper::topology

#include "moc_askpassclient.cpp"
