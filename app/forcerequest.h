// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <QString>

#include <optional>

namespace lockkeeper::app {

// Options of `lockkeeper force-release` as given.
struct ForceOptions {
    // Production: also a server of which nothing is known. There --yes is not enough.
    enum class Target { Production, Other };
    Target target = Target::Production;
    QString holder;
    std::optional<QString> count;
    std::optional<QString> token;
    QString reason;
    bool isYes = false;
    std::optional<QString> confirm;
};

// Which hold `lockkeeper force-release` is to break, and why.
struct ForceRequest {
    HolderId holder;
    std::optional<qint64> count;
    std::optional<qint64> token;
    QString reason;
    bool isConfirmed = false;  // by options; otherwise somebody at the terminal has to do it

    // Errors: InvalidArgument with a sentence for stderr.
    [[nodiscard]] static Result<ForceRequest> parse(const LockName& lock, const ForceOptions& given);
};

}  // namespace lockkeeper::app
