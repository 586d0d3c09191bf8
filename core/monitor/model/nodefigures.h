// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/replicas.h"

#include <QtGlobal>

#include <optional>

namespace lockkeeper::monitor {

// What the node that keeps a lock reports about itself, as far as diagnoses use it.
struct NodeFigures {
    Replicas replicas;
    std::optional<qint64> commandsPerSecond;  // nothing: not known
};

}  // namespace lockkeeper::monitor
