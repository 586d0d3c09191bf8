// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/programrun.h"

#include "base/safetext.h"
#include "jvm/fetch/fetchcause.h"
#include "platform/childprocess.h"
#include "topology/ssh/sshcommand.h"

namespace lockkeeper::jvm {

namespace {

constexpr qsizetype keptProgramWords = 4000;  // bytes

}  // namespace

ProgramRun::ProgramRun(const QStringList& command, qsizetype limit, Asks asks)
    : m_program(command.first()), m_limit(limit), m_asks(asks), m_process(new QProcess) {
    m_process->setProgram(m_program);
    m_process->setArguments(command.sliced(1));
    m_process->setStandardInputFile(QProcess::nullDevice());
    connect(m_process, &QProcess::readyReadStandardOutput, this, &ProgramRun::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &ProgramRun::readWords);
    connect(m_process, &QProcess::finished, this, &ProgramRun::onEnded);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish(Error(ErrorCode::Ssh, FetchCause::ProgramNotStarted, {m_program, m_process->errorString()}));
    });
    if (m_asks == Asks::AtTerminal)
        platform::stayAtTerminal(*m_process);
    else
        platform::leadOwnGroup(*m_process);
}

// A QProcess that is deleted while it runs waits for the end, so it is deleted later.
ProgramRun::~ProgramRun() {
    QProcess* process = m_process;
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    // At the terminal ssh may have switched off the echo, and must be able to switch it on again.
    if (m_asks == Asks::AtTerminal)
        process->terminate();
    else
        platform::killGroup(*process);
}

Completion<QByteArray> ProgramRun::start() {
    m_process->start();
    return m_done;
}

// From the event loop: the receiver may delete this object.
void ProgramRun::finish(const Result<QByteArray>& result) {
    QMetaObject::invokeMethod(
        this, [this, result] { m_done.complete(result); }, Qt::QueuedConnection);
}

void ProgramRun::readOutput() {
    m_output += m_process->readAllStandardOutput();
    if (m_output.size() <= m_limit)
        return;
    m_process->disconnect(this);
    finish(tooMuch(m_limit));
}

void ProgramRun::readWords() {
    m_words = (m_words + m_process->readAllStandardError()).right(keptProgramWords);
}

void ProgramRun::onEnded(int exitCode, QProcess::ExitStatus status) {
    m_output += m_process->readAllStandardOutput();
    readWords();
    if (m_output.size() > m_limit)
        return finish(tooMuch(m_limit));
    if (status == QProcess::NormalExit && exitCode == 0)
        finish(m_output);
    else
        finish(failure(exitCode));
}

Error ProgramRun::failure(int exitCode) const {
    // jcmd writes its reason to the standard output.
    constexpr qsizetype keptOutput = 1000;
    const QByteArray words = m_words.trimmed().isEmpty() ? m_output.left(keptOutput) : m_words;
    return Error(ErrorCode::Ssh, FetchCause::ProgramFailed,
                 {m_program, bounded(topology::sshWords(words)), QString::number(exitCode)});
}

}  // namespace lockkeeper::jvm
