// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::monitor {

// The value of the line "NAME:VALUE" in the answer to INFO, inside `info`; nothing if there is no such line.
[[nodiscard]] std::optional<QByteArrayView> infoField(QByteArrayView name, QByteArrayView info);

}  // namespace lockkeeper::monitor
