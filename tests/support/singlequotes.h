// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::test {

// JSON that can be written in a C++ literal without escapes.
inline QByteArray json(const char* withSingleQuotes) {
    return QByteArray(withSingleQuotes).replace('\'', '"');
}

}  // namespace lockkeeper::test
