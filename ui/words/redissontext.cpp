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

QString whatText(const profile::RedissonNote& note) {
    const QString first = note.arguments.value(0);
    const QString all = note.arguments.join(QLatin1String(", "));
    switch (note.kind) {
        case NoteKind::NameMapper:
            return RedissonText::tr("nameMapper is not applied: locks have the names that they have on the server.");
        case NoteKind::NatMapper:
            return RedissonText::tr("This natMapper cannot be read.");
        case NoteKind::KeyStore:
            return RedissonText::tr("The key store of %1 is not read.").arg(first);
        case NoteKind::Verification:
            return RedissonText::tr("\"%1\" is not applied: certificates are verified.").arg(first);
        case NoteKind::EncryptedPassword:
            return RedissonText::tr("%1 is encrypted and cannot be read.").arg(first);
        case NoteKind::Credentials:
            return RedissonText::tr("credentialsResolver is not applied.");
        case NoteKind::Twice:
            return RedissonText::tr("There more than once, the last one counts: %1.").arg(all);
        case NoteKind::Commented:
            return RedissonText::tr("Without a value, because it is behind a #: %1.").arg(all);
        case NoteKind::Defaults:
            return RedissonText::tr("Variables with the default that the file has for them: %1.").arg(all);
        case NoteKind::OtherProfiles:
            return RedissonText::tr("Profiles with servers of their own, which are not used: %1.").arg(all);
        case NoteKind::OutOfRange:
            return RedissonText::tr("The value of %1 is not possible, Redisson's default counts.").arg(first);
        case NoteKind::NotImported:
            return RedissonText::tr("Imported by Spring, but not read: %1.").arg(all);
        case NoteKind::OldAddress:
            return RedissonText::tr("%1 is taken as the address of a single server.").arg(first);
        case NoteKind::BundleMissing:
            return RedissonText::tr("%1 names the bundle \"%2\", and there is no such bundle in these files.")
                .arg(first, note.arguments.value(1));
        case NoteKind::FileMissing:
            return RedissonText::tr("The file that %1 names is not beside the configuration.").arg(first);
        case NoteKind::NotUsed:
            return RedissonText::tr("Not used: %1.").arg(all);
    }
    return {};
}

QString todoInWindow(NoteKind kind) {
    switch (kind) {
        case NoteKind::NatMapper:
            return RedissonText::tr("Add map=ANNOUNCED=REACHABLE to the address.");
        case NoteKind::KeyStore:
            return RedissonText::tr(
                "Add PEM files as ca=, cert= and key= to the address; cert= and key= may also be one file in PKCS #12. Of a trust store, keytool -list -rfc prints the certificates as PEM.");
        case NoteKind::BundleMissing:
        case NoteKind::FileMissing:
            return RedissonText::tr("Put it there, or add PEM files as ca=, cert= and key= to the address.");
        case NoteKind::Verification:
            return RedissonText::tr("Add pin= to the address to accept a known one.");
        case NoteKind::EncryptedPassword:
            return RedissonText::tr("Type the password.");
        case NoteKind::Credentials:
            return RedissonText::tr("Type user and password.");
        case NoteKind::NameMapper:
            return RedissonText::tr(
                "If it adds a prefix or a suffix, add name-prefix= or name-suffix= to the address.");
        case NoteKind::NotImported:
            return RedissonText::tr("If it has settings of the server, add them to the address.");
        case NoteKind::Defaults:
        case NoteKind::OtherProfiles:
        case NoteKind::Twice:
        case NoteKind::Commented:
        case NoteKind::OutOfRange:
        case NoteKind::OldAddress:
        case NoteKind::NotUsed:
            break;
    }
    return {};
}

QString todoInTerminal(NoteKind kind) {
    switch (kind) {
        case NoteKind::NatMapper:
            return RedissonText::tr("Give the addresses with --options map=ANNOUNCED=REACHABLE.");
        case NoteKind::KeyStore:
            return RedissonText::tr(
                "Give PEM files with --options ca=FILE, cert=FILE and key=FILE; cert and key may also be one file in PKCS #12. Of a trust store, keytool -list -rfc prints the certificates as PEM.");
        case NoteKind::BundleMissing:
        case NoteKind::FileMissing:
            return RedissonText::tr("Put it there, or give PEM files with --options ca=FILE, cert=FILE and key=FILE.");
        case NoteKind::Verification:
            return RedissonText::tr("Use --options pin=SHA256 to accept a known one.");
        case NoteKind::EncryptedPassword:
            return RedissonText::tr("Set the variable LOCKKEEPER_PASSWORD or LOCKKEEPER_SENTINEL_PASSWORD.");
        case NoteKind::Credentials:
            return RedissonText::tr("Set the variable LOCKKEEPER_PASSWORD.");
        case NoteKind::NameMapper:
            return RedissonText::tr("If it adds a prefix or a suffix, use --options name-prefix=P or name-suffix=S.");
        case NoteKind::Defaults:
            return RedissonText::tr("--env takes them from the environment.");
        case NoteKind::NotImported:
            return RedissonText::tr("If it has settings of the server, use --options, or the URL.");
        case NoteKind::OtherProfiles:
            return RedissonText::tr("--spring-profile NAME chooses one.");
        case NoteKind::Twice:
        case NoteKind::Commented:
        case NoteKind::OutOfRange:
        case NoteKind::OldAddress:
        case NoteKind::NotUsed:
            break;
    }
    return {};
}

}  // namespace

QString redissonText(const profile::RedissonNote& note, NotePlace place) {
    const QString what = whatText(note);
    const QString todo = place == NotePlace::Window ? todoInWindow(note.kind) : todoInTerminal(note.kind);
    return todo.isEmpty() ? what : RedissonText::tr("%1 %2", "two sentences").arg(what, todo);
}

QString redissonText(const QList<profile::RedissonNote>& notes) {
    QStringList lines;
    for (const profile::RedissonNote& note : notes)
        lines += redissonText(note, NotePlace::Window);
    return lines.join(QLatin1Char('\n'));
}

QString redissonErrorText(const Error& error, const QString& file) {
    return RedissonText::tr("%1 is no usable configuration: %2.").arg(file, reasonText(error));
}

}  // namespace lockkeeper::ui
