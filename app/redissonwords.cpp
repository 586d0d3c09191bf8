// SPDX-License-Identifier: Apache-2.0
#include "app/redissonwords.h"

namespace lockkeeper::app {

QString redissonWords(const profile::RedissonNote& note) {
    using Kind = profile::RedissonNote::Kind;
    switch (note.kind) {
        case Kind::NameMapper:
            return QStringLiteral("nameMapper is not applied: locks have the names that they have on the server");
        case Kind::NatMapper:
            return QStringLiteral(
                "this natMapper cannot be read; give the addresses with --options map=ANNOUNCED=REACHABLE");
        case Kind::KeyStore:
            return QStringLiteral(
                       "%1 is a Java key store and cannot be read; give PEM files with --options ca=FILE, cert=FILE and key=FILE")
                .arg(note.arguments.value(0));
        case Kind::Verification:
            return QStringLiteral(
                       "'%1' is not applied: certificates are verified; --options pin=SHA256 accepts a known one")
                .arg(note.arguments.value(0));
        case Kind::EncryptedPassword:
            return QStringLiteral(
                       "%1 is encrypted and cannot be read; set the variable LOCKKEEPER_PASSWORD or "
                       "LOCKKEEPER_SENTINEL_PASSWORD")
                .arg(note.arguments.value(0));
        case Kind::Credentials:
            return QStringLiteral("credentialsResolver is not applied; set the variable LOCKKEEPER_PASSWORD");
        case Kind::NotUsed:
            return QStringLiteral("not used: %1").arg(note.arguments.join(QLatin1String(", ")));
    }
    return {};
}

}  // namespace lockkeeper::app
