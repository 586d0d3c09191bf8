// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "engine/filethread.h"

#include <QByteArray>
#include <QHash>
#include <QObject>

#include <deque>
#include <functional>

namespace lockkeeper::serve {

// User names and the bcrypt hashes of their passwords.
using HashedUsers = QHash<QByteArray, QByteArray>;

// Verifies "Authorization: Basic". A hash takes long by design, so it is computed on a thread of its own; pairs that
// were accepted are remembered until they are not used for some minutes, as a keyed hash, so that a scrape costs
// nothing. Attempts are limited for all clients together, which does not concern remembered pairs. Thread: the clock's,
// which must outlive it.
class BasicAuth : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds remembered{300000};
    static constexpr qsizetype mostRemembered = 100;
    static constexpr int mostPending = 4;
    static constexpr int mostFailures = 20;  // within failureTime
    static constexpr Milliseconds failureTime{10000};

    enum class Verdict {
        Accepted,
        Refused,
        Busy,        // too many attempts, or too many that have failed
        NotPossible  // this system cannot verify such a hash
    };
    using Answer = std::function<void(Verdict verdict)>;

    explicit BasicAuth(Clock& clock);

    // Replaces the users. Pairs that are still right stay remembered. Without any, nothing is required. Verdicts under
    // way are about the users before.
    void setUsers(HashedUsers users);
    [[nodiscard]] bool isRequired() const { return !m_users.isEmpty(); }
    // Computed for an unknown user, so that the time does not say which users there are. It is of no known password,
    // and costs as much as the most costly one of these.
    [[nodiscard]] static QByteArray hashOfNobody(const HashedUsers& users);
    // authorization: the value of the header, perhaps empty. answer: called once, at once or later, unless this object
    // is gone by then.
    void check(const QByteArray& authorization, const Answer& answer);

private:
    [[nodiscard]] QByteArray keyOf(const QByteArray& user, const QByteArray& password, const QByteArray& hash) const;
    [[nodiscard]] bool isRemembered(const QByteArray& key);
    [[nodiscard]] bool hasTooManyFailures();
    void remember(const QByteArray& key);

    Clock& m_clock;
    const QByteArray m_secret;  // of the keyed hash; another one in each process
    HashedUsers m_users;
    QByteArray m_hashOfNobody;
    QHash<QByteArray, SteadyTime> m_accepted;  // until when
    std::deque<SteadyTime> m_failures;
    int m_pending = 0;
    FileThread m_hashing;
};

}  // namespace lockkeeper::serve
