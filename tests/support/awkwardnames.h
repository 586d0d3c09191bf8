// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QTest>

namespace lockkeeper::test {

// A row for each sort of name that a decoder, a format or a file may change on the way, in the column "name".
inline void addAwkwardNames() {
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* what, const QByteArray& bytes) { QTest::newRow(what) << bytes; };
    row("byte order mark in front", "\xef\xbb\xbfL");
    row("two byte order marks", "\xef\xbb\xbf\xef\xbb\xbfL");
    row("a byte order mark alone", "\xef\xbb\xbf");
    row("byte order mark inside", "L\xef\xbb\xbfL");
    row("byte order mark of UTF-16", "\xff\xfeL");
    row("U+FFFE", "L\xef\xbf\xbe");
    row("U+FFFF", "\xef\xbf\xbfL");
    row("noncharacter U+FDD0", "L\xef\xb7\x90");
    row("noncharacter U+1FFFE", "L\xf0\x9f\xbf\xbe");
    row("replacement character", "L\xef\xbf\xbd");
    row("high surrogate", "\xed\xa0\x80L");
    row("low surrogate", "L\xed\xb0\x80");
    row("a pair of surrogates", "\xed\xa0\xbd\xed\xb4\x92");
    row("overlong slash", "\xc0\xafL");
    row("overlong NUL", "L\xc0\x80");
    row("beyond Unicode", "\xf4\x90\x80\x80");
    row("cut short", "L\xe9\x94");
    row("a continuation alone", "\x80L");
    row("no UTF-8", "\xff\xfe\xfd");
    row("NUL", QByteArray("L\0L", 3));
    row("NUL at the end", QByteArray("L\0", 2));
    row("control characters", "\x1b[2J\x7f\xc2\x9b");
    row("line ends", "\r\nL\n");
    row("a tab in front", "\tL");
    row("a formula", "=1+2");
    row("an apostrophe and a formula", "'=1+2");
    row("quote, comma, backslash", "\"L\",\\u0041\\");
    row("line separator", "\xe2\x80\xa8L");
    row("direction override", "\xe2\x80\xaeL");
    row("beyond 16 bits", "\xf0\x9f\x94\x92");
    row("base64", "/w==");
    row("blanks", " L ");
}

}  // namespace lockkeeper::test
