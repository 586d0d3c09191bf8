#include "profile/secretstore.h"

#include <qt6keychain/keychain.h>

namespace lockkeeper::profile {

namespace {

Error errorOf(const QKeychain::Job& job) {
    return Error(ErrorCode::Keychain, job.errorString());
}

// Jobs delete themselves after finished(). Insecure fallback is off: if there is no keychain, a readable file must not
// replace it.
void start(QKeychain::Job* job, const QString& url) {
    job->setInsecureFallback(false);
    job->setKey(url);
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

SecretStore::SecretStore(QString service, QObject* parent) : QObject(parent), m_service(std::move(service)) {}

Completion<std::optional<QByteArray>> SecretStore::password(const QString& url) {
    using Answer = std::optional<QByteArray>;
    const Completion<Answer> answer;
    auto* job = new QKeychain::ReadPasswordJob(m_service, this);
    connect(job, &QKeychain::Job::finished, this, [answer, job] {
        if (job->error() == QKeychain::NoError)
            answer.complete(Answer(job->binaryData()));
        else if (job->error() == QKeychain::EntryNotFound)
            answer.complete(Answer());
        else
            answer.complete(errorOf(*job));
    });
    start(job, url);
    return answer;
}

Completion<Done> SecretStore::store(const QString& url, const QByteArray& password) {
    auto* job = new QKeychain::WritePasswordJob(m_service, this);
    job->setBinaryData(password);
    const Completion<Done> done = finishedWithoutValue(job);
    start(job, url);
    return done;
}

Completion<Done> SecretStore::forget(const QString& url) {
    auto* job = new QKeychain::DeletePasswordJob(m_service, this);
    const Completion<Done> done = finishedWithoutValue(job);
    start(job, url);
    return done;
}

}  // namespace lockkeeper::profile

#include "moc_secretstore.cpp"
