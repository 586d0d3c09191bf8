// SPDX-License-Identifier: Apache-2.0
#include "ui/words/redissontext.h"

#include "ui/words/causetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

using NoteKind = profile::RedissonNote::Kind;

struct RedissonText {
    Q_DECLARE_TR_FUNCTIONS(RedissonText)
};

QString noteText(const profile::RedissonNote& note) {
    const QString first = note.arguments.value(0);
    switch (note.kind) {
        case NoteKind::NameMapper:
            return RedissonText::tr("nameMapper is not applied: locks have the names that they have on the server.");
        case NoteKind::NatMapper:
            return RedissonText::tr("This natMapper cannot be read. Add map=ANNOUNCED=REACHABLE to the address.");
        case NoteKind::KeyStore:
            return RedissonText::tr(
                       "%1 is a Java key store and cannot be read. Add PEM files as ca=, cert= and key= to the "
                       "address.")
                .arg(first);
        case NoteKind::Verification:
            return RedissonText::tr(
                       "\"%1\" is not applied: certificates are verified. Add pin= to the address to accept a known "
                       "one.")
                .arg(first);
        case NoteKind::EncryptedPassword:
            return RedissonText::tr("%1 is encrypted and cannot be read. Type the password.").arg(first);
        case NoteKind::Credentials:
            return RedissonText::tr("credentialsResolver is not applied. Type user and password.");
        case NoteKind::NotUsed:
            return RedissonText::tr("Not used: %1.").arg(note.arguments.join(QLatin1String(", ")));
    }
    return {};
}

}  // namespace

QString redissonText(const QList<profile::RedissonNote>& notes) {
    QStringList lines;
    for (const profile::RedissonNote& note : notes)
        lines += noteText(note);
    return lines.join(QLatin1Char('\n'));
}

QString redissonErrorText(const Error& error, const QString& file) {
    return RedissonText::tr("%1 is no usable Redisson configuration: %2.").arg(file, reasonText(error));
}

}  // namespace lockkeeper::ui
