// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/ssh/sshquestion.h"

#include <QLocalServer>
#include <QProcessEnvironment>

#include <map>

class QLocalSocket;

namespace lockkeeper::topology {

// Takes the questions of ssh. ssh runs a program for each question (SSH_ASKPASS); that program is an AskpassClient of
// this server. An answer is kept no longer than it takes to send it. Thread: one.
class LOCKKEEPER_EXPORT AskpassServer final : public QObject {
    Q_OBJECT
public:
    // program: runs an AskpassClient. socketPath: in a folder that only this user can access.
    AskpassServer(QString program, const QString& socketPath, QString jumpHost);
    ~AskpassServer() override;

    // False: no question will come, and ssh fails where it needs to ask.
    [[nodiscard]] bool isListening() const { return m_server.isListening(); }
    // Sets the variables that make ssh ask here.
    void addTo(QProcessEnvironment& environment) const;
    [[nodiscard]] bool hasOpenQuestion() const noexcept { return !m_open.empty(); }
    // Does nothing if the question is over.
    void answer(SshQuestionId id, const SshAnswer& answer);
    // Ends all open questions without an answer.
    void closeAll();

Q_SIGNALS:
    void asked(const lockkeeper::topology::SshQuestion& question);
    // The question was answered, or ssh does not need an answer any more.
    void over(lockkeeper::topology::SshQuestionId id);

private:
    void take(QLocalSocket* client);
    void read(QLocalSocket* client);
    void close(SshQuestionId id);

    const QString m_program;
    const QString m_jumpHost;
    const QByteArray m_token;  // known to our ssh only, not to other programs of this user
    QLocalServer m_server;
    std::map<SshQuestionId, QLocalSocket*> m_open;
    quint64 m_lastId = 0;
};

}  // namespace lockkeeper::topology
