// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

#include <QtGlobal>

namespace lockkeeper::platform {

// What the system knows of this process. Portable: the processor time alone.
struct ProcessFigures {
    std::chrono::duration<double> processorTime{};
    std::optional<qint64> residentBytes;
    std::optional<qint64> virtualBytes;
    std::optional<qint64> openFiles;
    std::optional<qint64> mostFiles;
    std::optional<double> startedAt;  // seconds since 1970
};

[[nodiscard]] ProcessFigures processFigures();

}  // namespace lockkeeper::platform
