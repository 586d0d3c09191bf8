// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

// Where this build and its sources are. One source alone is compiled with these paths, so that the compiler cache serves
// all others in a checkout in another folder, too.
namespace lockkeeper::test::places {

// The built program.
[[nodiscard]] QString program();
// The folder tests/data.
[[nodiscard]] QString data();
// The folder of the manual's pages.
[[nodiscard]] QString manual();

// For the test of the installed library.
[[nodiscard]] QString build();
[[nodiscard]] QString consumer();
[[nodiscard]] QString cmake();
[[nodiscard]] QString compiler();
[[nodiscard]] QString readelf();

}  // namespace lockkeeper::test::places
