// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/sshtunnel.h"

#include "base/logging.h"
#include "platform/childprocess.h"
#include "topology/ssh/sshcommand.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;

// At the terminal this includes the time that the user takes; a usual sshd allows two minutes.
constexpr Milliseconds loginTime = 15s;
constexpr Milliseconds loginTimeAtTerminal = 120s;
// The pause after the first failed start.
constexpr Milliseconds firstLoginPause = 1s;
constexpr Milliseconds lastPause = 10s;
constexpr qsizetype keptWords = 4000;  // bytes; the warning of a changed host key has 900

// The path of a Unix socket has at most 107 bytes, and ssh temporarily adds 17 to it.
QString folderTemplate() {
    constexpr qsizetype longest = 60;
    // XDG_RUNTIME_DIR belongs to the user and exists as long as the session on this machine; other folders are cleaned
    // up by age.
    for (const QString& folder : {qEnvironmentVariable("XDG_RUNTIME_DIR"), QDir::tempPath()}) {
        if (QFile::encodeName(folder).size() <= longest && QFileInfo(folder).isWritable())
            return folder + QLatin1String("/lockkeeper-XXXXXX");
    }
    return QStringLiteral("/tmp/lockkeeper-XXXXXX");
}

}  // namespace

SshTunnel::SshTunnel(JumpHost jump, const QString& askpass, Clock& clock)
    : m_jump(std::move(jump)),
      m_clock(clock),
      m_loginTime(askpass.isEmpty() ? loginTimeAtTerminal : loginTime),
      m_folder(folderTemplate()) {
    if (!m_folder.isValid())
        return;
    m_watcher.addPath(m_folder.path());
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &SshTunnel::checkSocket);
    if (!askpass.isEmpty()) {
        m_askpass = std::make_unique<AskpassServer>(askpass, m_folder.filePath(QStringLiteral("a")), m_jump.display());
        connect(m_askpass.get(), &AskpassServer::asked, this, [this](const SshQuestion& question) {
            m_loginTimer.stop();
            Q_EMIT asked(question);
        });
        connect(m_askpass.get(), &AskpassServer::over, this, &SshTunnel::onQuestionOver);
    }
    prepareMaster();
}

SshTunnel::~SshTunnel() {
    blockSignals(true);
    m_loginTimer.stop();
    m_master.disconnect(this);
    platform::killGroup(m_master);
    for (const Completion<Done>& waiting : std::exchange(m_waiting, {}))
        waiting.complete(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
}

void SshTunnel::prepareMaster() {
    m_master.setProgram(sshProgram());
    m_master.setArguments(sshMasterArguments(m_jump, controlPath()));
    m_master.setStandardInputFile(QProcess::nullDevice());
    m_master.setStandardOutputFile(QProcess::nullDevice());
    if (m_askpass) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        m_askpass->addTo(environment);
        m_master.setProcessEnvironment(environment);
        platform::leadOwnGroup(m_master);
    } else {
        // A process in a process group of its own could not read from the terminal.
        platform::stayAtTerminal(m_master);
    }
    connect(&m_master, &QProcess::readyReadStandardError, this, &SshTunnel::onWords);
    connect(&m_master, &QProcess::finished, this, &SshTunnel::onEnded);
    connect(&m_master, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finishStart(Error(ErrorCode::Ssh, Cause::SshNotStarted, {m_master.errorString()}));
    });
}

// ---- logging in ----

Completion<Done> SshTunnel::open() {
    if (m_state == State::Up)
        return Completion<Done>::completed(Done());
    if (m_refusal)
        return Completion<Done>::completed(*m_refusal);
    if (!m_folder.isValid())
        return Completion<Done>::completed(Error(ErrorCode::Ssh, Cause::SshNotStarted, {m_folder.errorString()}));
    if (m_state == State::Down && m_clock.now() < m_nextStart)
        return Completion<Done>::completed(m_failure);
    Completion<Done> opened;
    m_waiting.push_back(opened);
    if (m_state == State::Down)
        start();
    return opened;
}

void SshTunnel::start() {
    m_state = State::Starting;
    m_end.reset();
    m_declined = false;
    m_words.clear();
    // A killed ssh leaves its socket, and the next ssh would not replace it.
    QFile::remove(controlPath());
    m_loginTimer.start(m_loginTime);
    m_master.start();
}

void SshTunnel::endLateLogin() {
    const QString seconds = QString::number(std::chrono::duration_cast<std::chrono::seconds>(m_loginTime).count());
    m_end = Error(ErrorCode::Ssh, Cause::SshNotInTime, {seconds});
    endMaster();
}

void SshTunnel::checkSocket() {
    if (m_state != State::Starting || m_end || !QFile::exists(controlPath()))
        return;
    beginSession();
    finishStart(Done());
}

// An sshd that has only forwarded connections so far delays small packets (Nagle's algorithm), so that answers come up
// to 40 ms late. After the first session on a connection it sends them at once. Where sessions are forbidden, the
// attempt does no harm.
void SshTunnel::beginSession() {
    QProcess* session = makeProcess(sshSessionArguments(m_jump, controlPath()));
    session->setStandardInputFile(QProcess::nullDevice());
    session->setStandardOutputFile(QProcess::nullDevice());
    session->setStandardErrorFile(QProcess::nullDevice());
    connect(session, &QProcess::finished, session, &QObject::deleteLater);
    session->start();
}

void SshTunnel::finishStart(const Result<Done>& result) {
    m_loginTimer.stop();
    m_state = result ? State::Up : State::Down;
    if (result) {
        m_pause = {};
        m_nextStart = {};
    } else {
        m_failure = result.error();
        m_pause = std::clamp(m_pause * 2, firstLoginPause, lastPause);
        m_nextStart = m_clock.now() + m_pause;
    }
    // Done last, because a waiter may destroy this object.
    for (const Completion<Done>& waiting : std::exchange(m_waiting, {}))
        waiting.complete(result);
}

void SshTunnel::onEnded() {
    onWords();
    if (m_askpass)
        m_askpass->closeAll();
    if (m_state == State::Up) {
        qCInfo(logRedis) << "ssh to" << m_jump.display() << "ended:" << whyEnded().text;
        m_state = State::Down;
        return checkClosed();
    }
    const Error why = m_end.value_or(whyEnded());
    if (m_declined)
        m_refusal = why;
    checkClosed();
    finishStart(why);
}

Error SshTunnel::whyEnded() const {
    const QString words = sshWords(m_words);
    if (words.isEmpty())
        return Error(ErrorCode::Ssh, Cause::SshSilent, {QString::number(m_master.exitCode())});
    return Error(ErrorCode::Ssh, Cause::SshEnded, {words});
}

// At the terminal ssh may have switched off the echo of typed characters, and must be able to switch it on again.
void SshTunnel::endMaster() {
    if (m_askpass)
        platform::killGroup(m_master);
    else
        m_master.terminate();
}

Completion<Done> SshTunnel::close() {
    m_refusal = Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed);
    m_isClosing = true;
    endMaster();
    for (QProcess* connection : findChildren<QProcess*>())
        connection->kill();
    checkClosed();
    return m_closed;
}

void SshTunnel::checkClosed() {
    const QList<QProcess*> connections = findChildren<QProcess*>();
    const bool runs =
        m_master.state() != QProcess::NotRunning || std::ranges::any_of(connections, [](const QProcess* connection) {
            return connection->state() != QProcess::NotRunning;
        });
    if (m_isClosing && !runs)
        m_closed.complete(Done());
}

// ---- what ssh says and asks ----

void SshTunnel::onWords() {
    const QByteArray words = m_master.readAllStandardError();
    m_wordsSaid += words.size();
    m_words = (m_words + words).right(keptWords);
}

QByteArray SshTunnel::wordsSince(qint64 said) const {
    return m_words.right(std::max(qint64(0), m_wordsSaid - said));
}

void SshTunnel::answer(SshQuestionId id, const SshAnswer& answer) {
    if (!m_askpass)
        return;
    if (!answer)
        m_end = Error(ErrorCode::Ssh, Cause::SshQuestionCancelled);
    m_declined = m_declined || !answer || *answer == "no";
    if (answer)
        m_askpass->answer(id, answer);
    else
        endMaster();
}

void SshTunnel::onQuestionOver(SshQuestionId id) {
    if (m_state == State::Starting && !m_askpass->hasOpenQuestion())
        m_loginTimer.start(m_loginTime);
    Q_EMIT questionOver(id);
}

// ---- connections ----

QProcess* SshTunnel::makeConnection(const redis::Endpoint& server) {
    return makeProcess(sshConnectionArguments(m_jump, controlPath(), server));
}

QProcess* SshTunnel::makeProcess(const QStringList& arguments) {
    auto* process = new QProcess(this);
    connect(process, &QProcess::finished, this, &SshTunnel::checkClosed);
    process->setProgram(sshProgram());
    process->setArguments(arguments);
    return process;
}

void SshTunnel::retire(QProcess* connection) {
    if (connection->state() == QProcess::NotRunning)
        return connection->deleteLater();
    QObject::connect(connection, &QProcess::finished, connection, &QObject::deleteLater);
    connection->kill();
}

}  // namespace lockkeeper::topology

#include "moc_sshtunnel.cpp"
