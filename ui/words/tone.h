// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::ui {

// What a color is to say, always beside a shape or a word that says it too. The colors are in ui/base/tonecolors.h.
enum class Tone { Normal, Quiet, Good, Info, Warning, Danger };

}  // namespace lockkeeper::ui
