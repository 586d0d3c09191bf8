// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

// The programs that `lockkeeper` starts; it is places::program() itself.
namespace lockkeeper::test::places {

// The window.
[[nodiscard]] QString gui();
// lockkeeper-tools or lockkeeper-guard.
[[nodiscard]] QString helper(const QString& name);

}  // namespace lockkeeper::test::places
