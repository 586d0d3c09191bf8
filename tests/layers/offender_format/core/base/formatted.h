// SPDX-License-Identifier: Apache-2.0
#pragma once

inline int lengthOf(const char* text) {
    return text[0];
}
