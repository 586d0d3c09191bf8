// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/configurationfiles.h"

namespace lockkeeper::profile {

// The files of a jar or war that may be configurations: those in BOOT-INF/classes, WEB-INF/classes or its root. Nothing
// is written to the disk, and bounded memory is taken whatever the archive says. Blocks for the disk.
// A file that cannot be read is left out, unless it may name servers.
// Errors: InvalidArgument with NoArchive, EntryTooLarge, EntryNotRead, EntryEncrypted or TooManyFiles.
[[nodiscard]] Result<ConfigurationFiles> archiveFiles(const QString& path);
// The same for an archive in memory.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ConfigurationFiles> archiveFiles(const QByteArray& bytes);

}  // namespace lockkeeper::profile
