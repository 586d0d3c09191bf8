// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/askpassserver.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "topology/ssh/askpassclient.h"

#include <QDataStream>
#include <QLocalSocket>
#include <QUuid>

namespace lockkeeper::topology {

namespace {

constexpr qsizetype longestQuestion = 4000;   // UTF-16 units: the warning of a changed host key has 900
constexpr qint64 longestMessage = 64 * 1024;  // bytes

}  // namespace

AskpassServer::AskpassServer(QString program, const QString& socketPath, QString jumpHost)
    : m_program(std::move(program)), m_jumpHost(std::move(jumpHost)), m_token(QUuid::createUuid().toByteArray()) {
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        while (QLocalSocket* client = m_server.nextPendingConnection())
            take(client);
    });
    if (!m_server.listen(socketPath))
        qCWarning(logRedis) << "questions of ssh cannot be asked:" << m_server.errorString();
}

AskpassServer::~AskpassServer() {
    blockSignals(true);
    closeAll();
}

void AskpassServer::addTo(QProcessEnvironment& environment) const {
    environment.insert(QStringLiteral("SSH_ASKPASS"), m_program);
    // Forced also where there is a terminal, because the question belongs in the window.
    environment.insert(QStringLiteral("SSH_ASKPASS_REQUIRE"), QStringLiteral("force"));
    environment.insert(QLatin1String(askpassSocketVariable), m_server.fullServerName());
    environment.insert(QLatin1String(askpassTokenVariable), QString::fromLatin1(m_token));
}

void AskpassServer::take(QLocalSocket* client) {
    connect(client, &QLocalSocket::readyRead, this, [this, client] { read(client); });
    connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
    read(client);
}

void AskpassServer::read(QLocalSocket* client) {
    if (client->bytesAvailable() > longestMessage)
        return client->abort();
    QDataStream stream(client);
    QByteArray token;
    QByteArray hint;
    QByteArray words;
    stream.startTransaction();
    stream >> token >> hint >> words;
    if (!stream.commitTransaction())
        return;
    if (token != m_token)
        return client->abort();
    client->disconnect(this);
    const SshQuestionId id{++m_lastId};
    m_open.emplace(id, client);
    connect(client, &QLocalSocket::disconnected, this, [this, id] { close(id); });
    SshQuestion question;
    question.id = id;
    question.words = QString::fromUtf8(words).left(longestQuestion);
    question.kind = SshQuestion::kindOf(hint, question.words);
    question.jumpHost = m_jumpHost;
    Q_EMIT asked(question);
}

void AskpassServer::answer(SshQuestionId id, const SshAnswer& answer) {
    const auto open = m_open.find(id);
    if (open == m_open.end())
        return;
    if (answer) {
        QDataStream stream(open->second);
        stream << *answer;
        open->second->flush();
    }
    close(id);
}

void AskpassServer::closeAll() {
    while (!m_open.empty())
        close(m_open.begin()->first);
}

void AskpassServer::close(SshQuestionId id) {
    const auto open = m_open.find(id);
    if (open == m_open.end())
        return;
    QLocalSocket* client = open->second;
    m_open.erase(open);
    client->disconnect(this);
    client->disconnectFromServer();
    Q_EMIT over(id);
}

}  // namespace lockkeeper::topology

#include "moc_askpassserver.cpp"
