#include "lab/demoserver.h"

#include <QStandardPaths>

#ifdef Q_OS_LINUX
#include <csignal>
#include <sys/prctl.h>
#endif

namespace lockkeeper::lab {

namespace {

QString serverProgram() {
    for (const QString& name : {QStringLiteral("redis-server"), QStringLiteral("valkey-server")}) {
        const QString path = QStandardPaths::findExecutable(name);
        if (!path.isEmpty())
            return path;
    }
    return {};
}

}  // namespace

DemoServer::DemoServer(QObject* parent) : QObject(parent) {
    m_process.setProcessChannelMode(QProcess::MergedChannels);
#ifdef Q_OS_LINUX
    m_process.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
#endif
    connect(&m_process, &QProcess::readyRead, this, &DemoServer::onOutput);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(Error(ErrorCode::InvalidArgument, Cause::ServerNotStarted, {m_process.errorString()}));
    });
    connect(&m_process, &QProcess::finished, this, [this] {
        if (!m_ready)
            Q_EMIT failed(
                Error(ErrorCode::ConnectionLost, Cause::ServerEnded, {QString::fromUtf8(m_output.right(500))}));
        Q_EMIT stopped();
    });
}

DemoServer::~DemoServer() {
    m_process.disconnect(this);
    m_process.kill();  // the server has no data to save
}

void DemoServer::start() {
    const QString program = serverProgram();
    if (program.isEmpty() || !m_directory.isValid()) {
        const Error why = program.isEmpty() ? Error(ErrorCode::InvalidArgument, Cause::NoServerProgram)
                                            : Error(ErrorCode::InvalidArgument, m_directory.errorString());
        QMetaObject::invokeMethod(
            this, [this, why] { Q_EMIT failed(why); }, Qt::QueuedConnection);
        return;
    }
    const QStringList arguments{QStringLiteral("--port"),       QStringLiteral("0"),       QStringLiteral("--unixsocket"),
                                options().endpoint.unixPath,    QStringLiteral("--save"),  QString(),
                                QStringLiteral("--appendonly"), QStringLiteral("no"),      QStringLiteral("--dir"),
                                m_directory.path(),             QStringLiteral("--maxmemory"), QStringLiteral("64mb")};
    m_process.start(program, arguments);
}

void DemoServer::stop() {
    if (m_process.state() == QProcess::NotRunning)
        Q_EMIT stopped();
    else
        m_process.terminate();
}

redis::ConnectionOptions DemoServer::options() const {
    redis::ConnectionOptions options;
    options.endpoint.unixPath = m_directory.filePath(QStringLiteral("redis.sock"));
    return options;
}

void DemoServer::onOutput() {
    constexpr qsizetype keptOutput = 16 * 1024;
    m_output = (m_output + m_process.readAll()).right(keptOutput);
    if (m_ready || !m_output.toLower().contains("ready to accept connections"))
        return;
    m_ready = true;
    Q_EMIT started();
}

}  // namespace lockkeeper::lab

#include "moc_demoserver.cpp"
