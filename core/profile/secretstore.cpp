// SPDX-License-Identifier: Apache-2.0
#include "profile/secretstore.h"

#include "profile/connectionprofile.h"

#include <qt6keychain/keychain.h>

namespace lockkeeper::profile {

namespace {

QString wordFor(SecretKind kind) {
    switch (kind) {
        case SecretKind::Password:
            return QStringLiteral("password");
        case SecretKind::KeyPassphrase:
            return QStringLiteral("keypassphrase");
        case SecretKind::SentinelPassword:
            return QStringLiteral("sentinelpassword");
        case SecretKind::WritingPassword:
            return QStringLiteral("writingpassword");
        case SecretKind::SshAnswer:
            return QStringLiteral("sshanswer");
        case SecretKind::DumpPassword:
            return QStringLiteral("dumppassword");
    }
    return {};
}

// Never equal to the URL of a former entry, because no kind is the scheme of a URL.
QString keychainEntry(const SecretKey& key) {
    return wordFor(key.kind) + QLatin1Char(':') + key.profile.text();
}

Error errorOf(const QKeychain::Job& job) {
    return Error(ErrorCode::Keychain, job.errorString());
}

// Jobs delete themselves after finished(), and have no parent: a keychain that answers late would find a job deleted
// that was deleted with its store. The insecure fallback is off: without a keychain, a readable file must not replace
// it.
void start(QKeychain::Job* job, const QString& entry) {
    job->setInsecureFallback(false);
    job->setKey(entry);
    job->start();
}

Completion<Done> finishedWithoutValue(QKeychain::Job* job) {
    const Completion<Done> done;
    QObject::connect(job, &QKeychain::Job::finished, [done](QKeychain::Job* finished) {
        const bool fine = finished->error() == QKeychain::NoError || finished->error() == QKeychain::EntryNotFound;
        done.complete(fine ? Result<Done>(Done()) : Result<Done>(errorOf(*finished)));
    });
    return done;
}

}  // namespace

SecretKey SecretKey::passwordOf(const ConnectionProfile& profile) {
    return {profile.id, SecretKind::Password, profile.urlWithoutPassword()};
}

SecretKey SecretKey::keyPassphraseOf(const ConnectionProfile& profile) {
    return {profile.id, SecretKind::KeyPassphrase, QString()};
}

SecretKey SecretKey::sentinelPasswordOf(const ConnectionProfile& profile) {
    return {profile.id, SecretKind::SentinelPassword, QString()};
}

SecretKey SecretKey::writingPasswordOf(const ConnectionProfile& profile) {
    return {profile.id, SecretKind::WritingPassword, QString()};
}

SecretKey SecretKey::dumpPasswordOf(const ConnectionProfile& profile) {
    return {profile.id, SecretKind::DumpPassword, QString()};
}

SecretKey SecretKey::sshAnswerOf(const ProfileId& profile) {
    return {profile, SecretKind::SshAnswer, QString()};
}

SecretStore::SecretStore(QString service, QObject* parent) : QObject(parent), m_service(std::move(service)) {}

Completion<SecretStore::Secret> SecretStore::read(const SecretKey& key) {
    const Completion<Secret> answer;
    readEntry(keychainEntry(key)).then([this, answer, key](const Result<Secret>& found) {
        if (!found || *found || key.formerEntry.isEmpty())
            answer.complete(found);
        else
            takeFormer(key).then([answer](const Result<Secret>& former) { answer.complete(former); });
    });
    return answer;
}

// A former entry that cannot be moved now is found again by the next call.
Completion<SecretStore::Secret> SecretStore::takeFormer(const SecretKey& key) {
    const Completion<Secret> answer;
    readEntry(key.formerEntry).then([this, answer, key](const Result<Secret>& former) {
        if (!former || !*former)
            answer.complete(former);
        else
            store(key, **former).then([answer, former](const Result<Done>&) { answer.complete(former); });
    });
    return answer;
}

Completion<Done> SecretStore::store(const SecretKey& key, const QByteArray& secret) {
    return thenDeleteFormer(writeEntry(keychainEntry(key), secret), key);
}

Completion<Done> SecretStore::forget(const SecretKey& key) {
    return thenDeleteFormer(deleteEntry(keychainEntry(key)), key);
}

Completion<Done> SecretStore::thenDeleteFormer(const Completion<Done>& first, const SecretKey& key) {
    const Completion<Done> done;
    first.then([this, done, key](const Result<Done>& result) {
        if (!result || key.formerEntry.isEmpty())
            done.complete(result);
        else
            deleteEntry(key.formerEntry).then([done](const Result<Done>& deleted) { done.complete(deleted); });
    });
    return done;
}

Completion<SecretStore::Secret> SecretStore::readEntry(const QString& entry) {
    const Completion<Secret> answer;
    auto* job = new QKeychain::ReadPasswordJob(m_service);
    connect(job, &QKeychain::Job::finished, this, [answer, job] {
        if (job->error() == QKeychain::NoError)
            answer.complete(Secret(job->binaryData()));
        else if (job->error() == QKeychain::EntryNotFound)
            answer.complete(Secret());
        else
            answer.complete(errorOf(*job));
    });
    start(job, entry);
    return answer;
}

Completion<Done> SecretStore::writeEntry(const QString& entry, const QByteArray& secret) {
    auto* job = new QKeychain::WritePasswordJob(m_service);
    job->setBinaryData(secret);
    const Completion<Done> done = finishedWithoutValue(job);
    start(job, entry);
    return done;
}

Completion<Done> SecretStore::deleteEntry(const QString& entry) {
    auto* job = new QKeychain::DeletePasswordJob(m_service);
    const Completion<Done> done = finishedWithoutValue(job);
    start(job, entry);
    return done;
}

}  // namespace lockkeeper::profile

#include "moc_secretstore.cpp"
