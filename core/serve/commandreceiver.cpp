// SPDX-License-Identifier: Apache-2.0
#include "serve/commandreceiver.h"

#include "platform/childprocess.h"
#include "serve/servecause.h"

#include <QJsonDocument>
#include <QProcess>

namespace lockkeeper::serve {

QStringList commandWords(const QString& text) {
    const bool areQuotesPaired = text.count(u'"') % 2 == 0;
    return areQuotesPaired ? QProcess::splitCommand(text) : QStringList();
}

CommandReceiver::CommandReceiver(QStringList command, Milliseconds patience, Clock& clock)
    : m_command(std::move(command)), m_limit(patience), m_patience(clock, [this] {
          m_isLate = true;
          platform::killGroup(*m_process);
      }) {}

CommandReceiver::~CommandReceiver() {
    if (!m_process)
        return;
    m_process->disconnect(this);
    platform::killGroup(*m_process);
}

void CommandReceiver::deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) {
    m_done = std::move(done);
    m_isLate = false;
    m_process = new QProcess(this);
    m_process->setProgram(m_command.first());
    m_process->setArguments(m_command.mid(1));
    platform::leadOwnGroup(*m_process);
    // Read and dropped: a command that prints without an end fills no memory, and is not stopped by a full pipe.
    for (const auto signal : {&QProcess::readyReadStandardOutput, &QProcess::readyReadStandardError}) {
        connect(m_process, signal, this, [process = m_process] {
            (void)process->readAllStandardOutput();
            (void)process->readAllStandardError();
        });
    }
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish({DeliveryEnd::Kind::Failed, Error(ErrorCode::ServerReply, ServeCause::CommandNotStarted,
                                                     {m_command.first(), m_process->errorString()})});
    });
    connect(m_process, &QProcess::finished, this, [this](int exitCode) { finish(endOf(exitCode)); });
    m_patience.start(m_limit);
    m_process->start();
    m_process->write(QJsonDocument(toJson(message, attempt)).toJson(QJsonDocument::Compact) + '\n');
    m_process->closeWriteChannel();
}

DeliveryEnd CommandReceiver::endOf(int exitCode) const {
    if (m_isLate) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_limit).count();
        return {DeliveryEnd::Kind::Failed,
                Error(ErrorCode::Timeout, ServeCause::CommandNotInTime, {QString::number(seconds)})};
    }
    if (m_process->exitStatus() != QProcess::NormalExit)
        return {DeliveryEnd::Kind::Failed, Error(ErrorCode::ServerReply, ServeCause::CommandCrashed)};
    if (exitCode != 0)
        return {DeliveryEnd::Kind::Failed,
                Error(ErrorCode::ServerReply, ServeCause::CommandFailed, {QString::number(exitCode)})};
    return {DeliveryEnd::Kind::Taken, std::nullopt};
}

// A command that cannot be started reports that from inside start().
void CommandReceiver::finish(const DeliveryEnd& end) {
    m_patience.stop();
    std::exchange(m_process, nullptr)->deleteLater();
    QMetaObject::invokeMethod(
        this, [done = std::exchange(m_done, nullptr), end] { done(end); }, Qt::QueuedConnection);
}

}  // namespace lockkeeper::serve

#include "serve/moc_commandreceiver.cpp"
