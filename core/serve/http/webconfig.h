// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "serve/http/basicauth.h"

#include <QSslConfiguration>

#include <functional>
#include <optional>

namespace lockkeeper::serve {

// Who may read an endpoint: a file in YAML as the exporters of Prometheus have it. A value.
struct WebConfig {
    static constexpr int leastCost = 4;
    static constexpr int mostCost = 15;  // a second or more
    static constexpr qsizetype mostUsers = 100;

    std::optional<QSslConfiguration> tls;  // tls_server_config
    HashedUsers users;                     // basic_auth_users

    [[nodiscard]] bool isWhole() const { return tls && !users.isEmpty(); }
};

// What a file is called in the configuration, as a path. Errors: with a sentence.
using FileNamed = std::function<Result<QString>(const QString& name)>;

// Other files are found from the folder of the file, by what `named` makes of their names. Errors: Storage, or
// InvalidArgument with a ServeCause or what a configuration of Redisson may have, too.
[[nodiscard]] Result<WebConfig> readWebConfig(const QString& path, const FileNamed& named);

}  // namespace lockkeeper::serve
