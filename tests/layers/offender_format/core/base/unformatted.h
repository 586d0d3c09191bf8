// SPDX-License-Identifier: Apache-2.0
#pragma once

// Offends against .clang-format: two blanks, and the star beside the name.
inline int  lengthOf(const char *text) {
    return text[0];
}
