// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/processtable.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

namespace lockkeeper::test {

// `lockkeeper lab`, with a folder of its own for temporary files, so that a test sees what is left. Its destructor
// ends the program by a signal that it handles: if it was killed, its servers would run on where there are no process
// groups.
class LabProgram {
public:
    struct Ended {
        int exitCode = -1;  // -1: it has crashed
        QByteArray output;
        QByteArray complaints;
    };

    // folderName: of the folder for temporary files; empty: a short one.
    LabProgram(const QString& program, const QStringList& arguments,
               QProcessEnvironment environment = QProcessEnvironment::systemEnvironment(),
               const QString& folderName = {})
        : m_folder(m_directory.filePath(folderName)) {
        QDir().mkpath(m_folder);
        environment.insert(QStringLiteral("TMPDIR"), m_folder);
        m_process.setProcessEnvironment(environment);
        m_process.start(program, QStringList(QStringLiteral("lab")) + arguments);
    }

    ~LabProgram() {
        m_process.terminate();
        m_process.waitForFinished();
    }
    LabProgram(const LabProgram&) = delete;
    LabProgram& operator=(const LabProgram&) = delete;

    [[nodiscard]] Ended end() {
        m_process.waitForFinished(240000);
        return {m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1,
                m_process.readAllStandardOutput(), m_process.readAllStandardError()};
    }
    [[nodiscard]] QProcess& process() { return m_process; }
    [[nodiscard]] QList<qint64> servers() const {
        QList<qint64> servers = childrenOf(m_process.processId());
        servers.removeIf([](qint64 process) { return !procFile(process, "cmdline").contains("redis"); });
        return servers;
    }
    // The folder in which the program makes temporary files.
    [[nodiscard]] const QString& folder() const noexcept { return m_folder; }
    [[nodiscard]] QStringList leftFiles() const {
        return QDir(m_folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

private:
    QTemporaryDir m_directory;
    const QString m_folder;
    QProcess m_process;
};

}  // namespace lockkeeper::test
