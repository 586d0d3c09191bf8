// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/archivefiles.h"
#include "profile/configuration/configuration.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace lockkeeper;
using namespace lockkeeper::profile;

namespace {

// Feeds the content as a file of this name. What is understood must be a URL that says the same.
void read(const QString& name, const QByteArray& content, const ConfigurationChoice& choice) {
    ConfigurationFiles files;
    if (name.isEmpty()) {
        const Result<ConfigurationFiles> archive = archiveFiles(content);
        if (!archive)
            return;
        files = *archive;
    } else {
        files.files += {name, content};
    }
    const Result<RedissonConnection> found = connectionOf(files, choice);
    if (!found)
        return;
    const Result<ConnectionProfile> again = ConnectionProfile::fromUrl(found->profile.urlWithoutPassword());
    if (!again || again->locks != found->profile.locks)
        std::abort();
}

}  // namespace

// The first byte says how the rest is read: as YAML or JSON, as properties, as Kubernetes has it, or as a jar; with a
// profile of Spring and values of variables, or without.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const std::array names{QStringLiteral("redisson.yaml"), QStringLiteral("application.properties"),
                                  QStringLiteral("application.yml"), QString()};
    if (size == 0)
        return 0;
    const QByteArray content(reinterpret_cast<const char*>(data) + 1, static_cast<qsizetype>(size) - 1);
    ConfigurationChoice choice;
    if ((data[0] & 4) != 0)
        choice.springProfile = QStringLiteral("prod");
    if ((data[0] & 8) != 0)
        choice.variables = [](const QString& name) { return std::optional(name); };
    read(names.at(data[0] & 3), content, choice);
    return 0;
}
