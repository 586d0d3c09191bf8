// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::redis {

// The value of the line "NAME:VALUE" in the answer to INFO, inside `info`; nothing if there is no such line.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<QByteArrayView> infoField(QByteArrayView name, QByteArrayView info);

}  // namespace lockkeeper::redis
