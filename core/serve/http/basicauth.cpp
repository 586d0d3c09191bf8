// SPDX-License-Identifier: Apache-2.0
#include "serve/http/basicauth.h"

#include "platform/passwordhash.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

namespace lockkeeper::serve {

namespace {

// Computed for an unknown user, so that the time does not say which users there are. The hash of nothing that is known.
const QByteArray nobodysHash("$2b$10$abcdefghijklmnopqrstuuG7y1lW9pJc5X0qzUoZb3mQnVtq0kR6i");

QByteArray randomSecret() {
    QByteArray secret(32, Qt::Uninitialized);
    for (char& byte : secret)
        byte = static_cast<char>(QRandomGenerator::system()->generate());
    return secret;
}

struct Pair {
    QByteArray user;
    QByteArray password;
};

std::optional<Pair> pairOf(const QByteArray& authorization) {
    constexpr qsizetype longest = 1024;
    const qsizetype blank = authorization.indexOf(' ');
    if (blank < 0 || authorization.first(blank).toLower() != "basic")
        return std::nullopt;
    const auto decoded = QByteArray::fromBase64Encoding(authorization.sliced(blank + 1).trimmed(),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    const QByteArray pair = decoded ? *decoded : QByteArray();
    const qsizetype colon = pair.indexOf(':');
    if (colon < 0 || pair.size() > longest || pair.contains('\0'))
        return std::nullopt;
    return Pair{pair.first(colon), pair.sliced(colon + 1)};
}

}  // namespace

BasicAuth::BasicAuth(Clock& clock) : m_clock(clock), m_secret(randomSecret()) {}

void BasicAuth::setUsers(HashedUsers users) {
    m_users = std::move(users);
    m_accepted.clear();
}

void BasicAuth::check(const QByteArray& authorization, const Answer& answer) {
    if (!isRequired())
        return answer(Verdict::Accepted);
    const std::optional<Pair> pair = pairOf(authorization);
    if (!pair)
        return answer(Verdict::Refused);
    const bool isKnown = m_users.contains(pair->user);
    const QByteArray hash = m_users.value(pair->user, nobodysHash);
    const QByteArray key = keyOf(pair->user, pair->password, hash);
    if (isRemembered(key))
        return answer(Verdict::Accepted);
    if (m_pending >= mostPending || hasTooManyFailures())
        return answer(Verdict::Busy);
    ++m_pending;
    const auto future = m_hashing.run<platform::HashCheck>(
        [password = pair->password, hash] { return platform::checkPassword(password, hash); });
    onAnswer(future, this, [this, answer, key, isKnown](platform::HashCheck check) {
        --m_pending;
        if (isKnown && check == platform::HashCheck::Matches) {
            remember(key);
            return answer(Verdict::Accepted);
        }
        m_failures.push_back(m_clock.now());
        answer(check == platform::HashCheck::NotPossible ? Verdict::NotPossible : Verdict::Refused);
    });
}

// The hash of the password is part of it: another password of the same user makes it void.
QByteArray BasicAuth::keyOf(const QByteArray& user, const QByteArray& password, const QByteArray& hash) const {
    return QMessageAuthenticationCode::hash(user + '\0' + password + '\0' + hash, m_secret, QCryptographicHash::Sha256);
}

bool BasicAuth::isRemembered(const QByteArray& key) {
    const auto found = m_accepted.constFind(key);
    return found != m_accepted.cend() && m_clock.now() < *found;
}

void BasicAuth::remember(const QByteArray& key) {
    const SteadyTime now = m_clock.now();
    m_accepted.removeIf([now](const auto& entry) { return entry.value() <= now; });
    if (m_accepted.size() >= mostRemembered)
        m_accepted.clear();
    m_accepted.insert(key, now + remembered);
}

bool BasicAuth::hasTooManyFailures() {
    while (!m_failures.empty() && m_failures.front() + failureTime <= m_clock.now())
        m_failures.pop_front();
    return m_failures.size() >= static_cast<size_t>(mostFailures);
}

}  // namespace lockkeeper::serve

#include "moc_basicauth.cpp"
