// SPDX-License-Identifier: Apache-2.0
#include "serve/http/basicauth.h"

#include "platform/passwordhash.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

QByteArray costOf(const QByteArray& hash) {
    return hash.mid(4, 2);
}

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

QByteArray BasicAuth::hashOfNobody(const HashedUsers& users) {
    QByteArray cost("04");
    for (const QByteArray& hash : users)
        cost = std::max(cost, costOf(hash));
    return "$2b$" + cost + "$abcdefghijklmnopqrstuuG7y1lW9pJc5X0qzUoZb3mQnVtq0kR6i";
}

void BasicAuth::setUsers(HashedUsers users) {
    m_hashOfNobody = hashOfNobody(users);
    m_users = std::move(users);  // what is remembered counts only with the same hash
}

void BasicAuth::check(const QByteArray& authorization, const Answer& answer) {
    if (!isRequired())
        return answer(Verdict::Accepted);
    const std::optional<Pair> pair = pairOf(authorization);
    if (!pair)
        return answer(Verdict::Refused);
    const bool isKnown = m_users.contains(pair->user);
    const QByteArray hash = m_users.value(pair->user, m_hashOfNobody);
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
    const auto found = m_accepted.find(key);
    const SteadyTime now = m_clock.now();
    if (found == m_accepted.end() || *found <= now)
        return false;
    *found = now + remembered;
    return true;
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
