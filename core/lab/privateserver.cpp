// SPDX-License-Identifier: Apache-2.0
#include "lab/privateserver.h"

#include "base/regularfile.h"
#include "lab/labcause.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace lockkeeper::lab {

namespace {

// sun_path of Linux has 108 bytes, with the zero at its end, and QLocalSocket of Qt 6.4 uses one byte less.
constexpr qsizetype longestSocketPath = 106;

QString baseFolder(const QString& folder) {
    return folder.isEmpty() ? QDir::tempPath() : folder;
}

// A template for QTemporaryDir. A folder of our own needs no name that shows its owner.
QString directoryIn(const QString& folder) {
    return baseFolder(folder) + (folder.isEmpty() ? QStringLiteral("/lockkeeper-XXXXXX") : QStringLiteral("/XXXXXX"));
}

}  // namespace

PrivateServer::PrivateServer(ServerSetup setup, QObject* parent)
    : QObject(parent), m_setup(std::move(setup)), m_directory(directoryIn(m_setup.folder)) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    platform::leadOwnGroup(m_process);
    connect(&m_process, &QProcess::readyRead, this, &PrivateServer::onOutput);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        Q_EMIT failed(Error(ErrorCode::InvalidArgument, LabCause::ServerNotStarted, {m_process.errorString()}));
        Q_EMIT stopped();  // stop() may have been called while it was being started
    });
    connect(&m_process, &QProcess::finished, this, &PrivateServer::onFinished);
}

// Waits only if the owner has not: sessions await stopped(), so this is for the end of the program.
PrivateServer::~PrivateServer() {
    m_process.disconnect(this);
    kill();
    m_process.waitForFinished();
}

QString PrivateServer::installedProgram() {
    for (const QString& name : {QStringLiteral("redis-server"), QStringLiteral("valkey-server")}) {
        const QString path = QStandardPaths::findExecutable(name);
        if (!path.isEmpty())
            return path;
    }
    return {};
}

QString PrivateServer::socketPathOf(const QString& directory) {
    return directory + QStringLiteral("/redis.sock");
}

QString PrivateServer::socketPathIn(const QString& folder) {
    return socketPathOf(directoryIn(folder));
}

std::optional<Error> PrivateServer::whyTooLong(const QString& socketPath, const QString& folder) {
    const qsizetype beyond = QFile::encodeName(socketPath).size() - longestSocketPath;
    if (beyond <= 0)
        return std::nullopt;
    const qsizetype longest = QFile::encodeName(folder).size() - beyond;
    return Error(ErrorCode::InvalidArgument, LabCause::SocketPathTooLong, {folder, QString::number(longest)});
}

void PrivateServer::start() {
    m_ready = false;
    m_output.clear();
    const QString program = m_setup.program.isEmpty() ? installedProgram() : m_setup.program;
    if (const std::optional<Error> why = whyNot(program)) {
        QMetaObject::invokeMethod(
            this, [this, why] { Q_EMIT failed(*why); }, Qt::QueuedConnection);
        return;
    }
    m_process.start(program, arguments());
}

std::optional<Error> PrivateServer::whyNot(const QString& program) const {
    if (program.isEmpty())
        return Error(ErrorCode::InvalidArgument, LabCause::NoServerProgram);
    if (const std::optional<Error> tooLong = whyTooLong(socketPath(), baseFolder(m_setup.folder)))
        return tooLong;
    if (!m_directory.isValid())
        return Error(ErrorCode::InvalidArgument, m_directory.errorString());
    return writeConfiguration();
}

QString PrivateServer::configurationFile() const {
    if (isSentinel())
        return m_directory.filePath(QStringLiteral("sentinel.conf"));
    return m_setup.configuration.isEmpty() ? QString() : m_directory.filePath(QStringLiteral("redis.conf"));
}

// Other users cannot access the folder of the file.
std::optional<Error> PrivateServer::writeConfiguration() const {
    QFile file(configurationFile());
    if (file.fileName().isEmpty() || file.exists())
        return std::nullopt;
    const QByteArray& lines = isSentinel() ? m_setup.sentinelConfiguration : m_setup.configuration;
    if (file.open(QIODevice::WriteOnly) && writeWhole(file, lines) && file.flush())
        return std::nullopt;
    return Error(ErrorCode::Storage, Cause::FileNotWritten, {file.fileName(), writeFailure(file)});
}

void PrivateServer::stop() {
    if (!isRunning())
        Q_EMIT stopped();
    else
        m_process.terminate();
}

void PrivateServer::kill() {
    platform::killGroup(m_process);
}

redis::ConnectionOptions PrivateServer::options() const {
    redis::ConnectionOptions options;
    options.endpoint.unixPath = socketPath();
    return options;
}

QStringList PrivateServer::arguments() const {
    QStringList first;
    if (const QString file = configurationFile(); !file.isEmpty())
        first << file;
    if (isSentinel())
        first << QStringLiteral("--sentinel");
    return first + QStringList{QStringLiteral("--port"),       QString::number(m_setup.port.value_or(0)),
                               QStringLiteral("--bind"),       QStringLiteral("127.0.0.1"),
                               QStringLiteral("--unixsocket"), socketPath(),
                               QStringLiteral("--save"),       QString(),
                               QStringLiteral("--appendonly"), QStringLiteral("no"),
                               QStringLiteral("--dir"),        m_directory.path()} +
           m_setup.extra;
}

void PrivateServer::onOutput() {
    constexpr qsizetype keptOutput = 16 * 1024;
    m_output = (m_output + m_process.readAll()).right(keptOutput);
    const bool answers = m_output.contains(isSentinel() ? "Sentinel ID is" : "eady to accept connections");
    if (m_ready || !answers)
        return;
    m_ready = true;
    Q_EMIT started();
}

void PrivateServer::onFinished() {
    if (!m_ready)
        Q_EMIT failed(
            Error(ErrorCode::ConnectionLost, LabCause::ServerEnded, {QString::fromUtf8(m_output.right(500))}));
    m_ready = false;
    Q_EMIT stopped();
}

}  // namespace lockkeeper::lab

#include "moc_privateserver.cpp"
