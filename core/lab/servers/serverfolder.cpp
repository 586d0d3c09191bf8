// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/serverfolder.h"

#include "lab/labcause.h"
#include "lab/privateserver.h"

#include <QDir>
#include <QRandomGenerator>

#include <cerrno>

namespace lockkeeper::lab {

QString newServerFolder() {
    const QString digits = QString::number(QRandomGenerator::system()->generate(), 16).rightJustified(8, u'0');
    return QDir::tempPath() + QStringLiteral("/lockkeeper-lab-") + digits;
}

std::optional<Error> whyNoServers(const QString& serverProgram) {
    if (serverProgram.isEmpty() && PrivateServer::installedProgram().isEmpty())
        return Error(ErrorCode::InvalidArgument, LabCause::NoServerProgram);
    const QString temporary = QDir::tempPath();
    if (temporary.isEmpty())
        return Error(ErrorCode::Storage, Cause::FileNotWritten,
                     {qEnvironmentVariable("TMPDIR"), qt_error_string(ENOENT)});
    return PrivateServer::whyTooLong(PrivateServer::socketPathIn(newServerFolder()), temporary);
}

}  // namespace lockkeeper::lab
