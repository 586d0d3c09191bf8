// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/result.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>
#include <QPointer>
#include <QProcess>

namespace lockkeeper::jvm {

// Runs a program once, without a shell and without input, and keeps what it prints, up to a limit. The program ends
// with this object. Thread: one with an event loop.
class LOCKKEEPER_MONITOR_EXPORT ProgramRun final : public QObject {
public:
    // Where a program that needs an answer of the user asks. Terminal: it stays in the process group of the terminal.
    enum class Asks { Elsewhere, AtTerminal };

    // command: the program, which is found by the user's PATH, and its arguments. limit: bytes.
    ProgramRun(const QStringList& command, qsizetype limit, Asks asks);
    ~ProgramRun() override;

    void setEnvironment(const QProcessEnvironment& environment) { m_process->setProcessEnvironment(environment); }
    // Completes with what the program has printed, or with ErrorCode::Ssh and a FetchCause.
    [[nodiscard]] Completion<QByteArray> start();

private:
    void finish(const Result<QByteArray>& result);
    void readOutput();
    void readWords();
    void onEnded(int exitCode, QProcess::ExitStatus status);
    [[nodiscard]] Error failure(int exitCode) const;

    const QString m_program;
    const qsizetype m_limit;
    const Asks m_asks;
    QPointer<QProcess> m_process;  // deletes itself when it has ended
    QByteArray m_output;
    QByteArray m_words;  // the last part of what it has written to its standard error
    Completion<QByteArray> m_done;
};

}  // namespace lockkeeper::jvm
