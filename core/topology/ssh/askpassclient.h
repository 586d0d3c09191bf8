// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QLocalSocket>

namespace lockkeeper::topology {

// The environment variables by which an AskpassServer passes its socket and its token to the program that ssh runs.
constexpr const char* askpassSocketVariable = "LOCKKEEPER_ASKPASS_SOCKET";
constexpr const char* askpassTokenVariable = "LOCKKEEPER_ASKPASS_TOKEN";

// The client of an AskpassServer, in the process that ssh runs for one question: passes the question to the server that
// the environment names. Thread: one.
class LOCKKEEPER_EXPORT AskpassClient final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Whether ssh started this process to ask a question.
    [[nodiscard]] static bool isWanted();
    // answered() or refused() follows.
    void ask(const QByteArray& words);

Q_SIGNALS:
    void answered(const QByteArray& answer);
    void refused();

private:
    void send(const QByteArray& words);
    void receive();

    QLocalSocket m_socket;
    bool m_over = false;
};

}  // namespace lockkeeper::topology
