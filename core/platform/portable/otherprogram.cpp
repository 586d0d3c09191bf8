// SPDX-License-Identifier: Apache-2.0
#include "platform/otherprogram.h"

#include <QCoreApplication>
#include <QProcess>

#include <cerrno>

namespace lockkeeper::platform {

namespace {

// Its own arguments do not matter.
class Application {
private:
    int m_count = 1;
    char m_name[11] = "lockkeeper";
    char* m_words[2] = {m_name, nullptr};
    const QCoreApplication m_application{m_count, m_words};
};

}  // namespace

QString programFolder() {
    if (QCoreApplication::instance())
        return QCoreApplication::applicationDirPath();
    const Application application;
    return QCoreApplication::applicationDirPath();
}

std::optional<int> becomeProgram(const QString& path, char* const argv[]) {
    constexpr int notStarted = -1;
    QStringList arguments;
    for (char* const* argument = argv + 1; *argument; ++argument)
        arguments += QString::fromLocal8Bit(*argument);
    const Application application;
    QProcess program;
    program.setProcessChannelMode(QProcess::ForwardedChannels);
    program.setInputChannelMode(QProcess::ForwardedInputChannel);
    QObject::connect(&program, &QProcess::finished, &program, [](int exitCode, QProcess::ExitStatus status) {
        constexpr int signalled = 128;  // after a crash the code is the signal's number
        QCoreApplication::exit(status == QProcess::NormalExit ? exitCode : signalled + exitCode);
    });
    QObject::connect(
        &program, &QProcess::errorOccurred, &program,
        [](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                QCoreApplication::exit(notStarted);
        },
        Qt::QueuedConnection);
    program.start(path, arguments);
    const int exitCode = QCoreApplication::exec();
    if (exitCode != notStarted)
        return exitCode;
    errno = ENOENT;
    return std::nullopt;
}

}  // namespace lockkeeper::platform
