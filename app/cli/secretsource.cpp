// SPDX-License-Identifier: Apache-2.0
#include "app/cli/secretsource.h"

#include "app/cli/commandline.h"
#include "app/cli/options.h"

#include <QFile>

namespace lockkeeper::app {

namespace {

// A file that never ends must not fill the memory.
Result<QByteArray> readLine(QFile& file, const QString& name) {
    constexpr qint64 longest = 4096;
    const QByteArray line = file.isOpen() ? file.readLine(longest) : QByteArray();
    if (file.error() != QFileDevice::NoError)
        return usage(CommandLine::tr("no secret in %1: %2").arg(name, file.errorString()));
    if (line.trimmed().isEmpty())
        return usage(CommandLine::tr("no secret in %1: its first line is empty").arg(name));
    return line.endsWith('\n') ? line.chopped(1) : line;
}

}  // namespace

Result<QString> filePath(const QString& value) {
    static const QString prefix = QStringLiteral("credential:");
    if (!value.startsWith(prefix))
        return value;
    const QString name = value.sliced(prefix.size());
    if (name.isEmpty() || name.contains(u'/'))
        return usage(CommandLine::tr("credential: is followed by the name of a credential, as in credential:webhook"));
    const QString folder = qEnvironmentVariable("CREDENTIALS_DIRECTORY");
    if (folder.isEmpty())
        return usage(CommandLine::tr("%1: there are no credentials: systemd gives them by LoadCredential=").arg(value));
    return folder + u'/' + name;
}

Result<QByteArray> firstLineOf(const QString& value) {
    const Result<QString> path = filePath(value);
    if (!path)
        return path.error();
    if (path->isEmpty())
        return usage(CommandLine::tr("the name of a file with a secret is empty"));
    QFile file(*path);
    (void)file.open(QIODevice::ReadOnly);  // the error stays in the file
    return readLine(file, value);
}

Result<QByteArray> firstLineOfFd(const QString& option, const QString& number) {
    bool ok = false;
    const int descriptor = number.toInt(&ok);
    if (!ok || descriptor < 0)
        return usage(CommandLine::tr("%1 takes the number of an open file descriptor").arg(option));
    QFile file;
    (void)file.open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle);
    return readLine(file, CommandLine::tr("file descriptor %1").arg(descriptor));
}

}  // namespace lockkeeper::app
