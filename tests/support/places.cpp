// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"

#include "support/programs.h"

namespace lockkeeper::test::places {

QString program() {
    return QStringLiteral(LOCKKEEPER_PROGRAM);
}

QString gui() {
    return QStringLiteral(LOCKKEEPER_GUI);
}

QString helper(const QString& name) {
    return QStringLiteral(LOCKKEEPER_HELPERS "/") + name;
}

QString core() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/core");
}

QString data() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/tests/data");
}

QString ui() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/ui");
}

QString fonts() {
    return QStringLiteral(LOCKKEEPER_BUILD "/tests/support/fonts.conf");
}

QString smallScreen() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/tests/support/smallscreen.json");
}

QString manual() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/resources/manual");
}

QString build() {
    return QStringLiteral(LOCKKEEPER_BUILD);
}

QString consumer() {
    return QStringLiteral(LOCKKEEPER_SOURCE "/tests/plain/consumer");
}

QString cmake() {
    return QStringLiteral(LOCKKEEPER_CMAKE);
}

QString compiler() {
    return QStringLiteral(LOCKKEEPER_COMPILER);
}

QString readelf() {
    return QStringLiteral(LOCKKEEPER_READELF);
}

}  // namespace lockkeeper::test::places
