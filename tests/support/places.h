// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

// The folders of this build and of its sources. Only one source file is compiled with these paths, so that the
// compiler cache also serves all other files in a checkout in another folder.
namespace lockkeeper::test::places {

// The built program.
[[nodiscard]] QString program();
// The folder core/ of the sources.
[[nodiscard]] QString core();
// The folder tests/data.
[[nodiscard]] QString data();
// The folder of the widgets' sources.
[[nodiscard]] QString ui();
// The configuration of fontconfig for tests.
[[nodiscard]] QString fonts();
// The configuration of Qt's offscreen platform with a screen of 1024x700 pixels.
[[nodiscard]] QString smallScreen();
// The folder of the manual's pages.
[[nodiscard]] QString manual();

// The build folder, for the test of the installed library.
[[nodiscard]] QString build();
[[nodiscard]] QString consumer();
[[nodiscard]] QString cmake();
[[nodiscard]] QString compiler();
[[nodiscard]] QString readelf();

}  // namespace lockkeeper::test::places
