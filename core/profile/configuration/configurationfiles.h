// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockkeeper::profile {

// A file with settings; in an archive its name has the folders below the root of the classes.
struct ConfigurationFile {
    QString name;
    QByteArray bytes;
};

// What was opened: a file, with those beside it that Spring would read, too; or what an archive has.
struct ConfigurationFiles {
    enum class Source { File, Archive };

    Source source = Source::File;
    QList<ConfigurationFile> files;  // Source::File: the first one is the one that was opened
    QString folder;                  // Source::File: where the files are that it names; empty: they are not opened
};

// Whether a file of this name may be a configuration: by its ending, whatever its case.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isConfigurationName(const QString& name);
// Whether the file is a jar or another zip file. Blocks for the disk, for a moment.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isArchive(const QString& path);
// "prod" for "config/application-prod.yml"; empty for "application.yml"; nothing for other names.
[[nodiscard]] std::optional<QString> springProfileOf(const QString& name);

// The file, with its siblings application-*.yml if it is an application.yml; or what a jar or war has. Nothing else is
// opened. Blocks for the disk. Errors: Storage; InvalidArgument with TooLarge or NoArchive.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ConfigurationFiles> openConfiguration(const QString& path);
// Where the file is that a setting names, as file:client.p12. Nothing: it is not there, or not in the folder.
[[nodiscard]] std::optional<QString> pathBeside(const ConfigurationFiles& files, const QString& name);
// The file that a setting names, as classpath:redisson.yaml. Nothing: it is not there, or not in the folder.
[[nodiscard]] std::optional<QByteArray> fileBeside(const ConfigurationFiles& files, const QString& name);

}  // namespace lockkeeper::profile
