// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/case.h"

#include <QHash>
#include <QSet>

#include <vector>

namespace lockkeeper::serve {

// The cases that have begun and not ended: so that each begin and each end is reported once, also over a new start of
// the program. Bounded. Thread: one.
class CaseBook {
public:
    static constexpr qsizetype most = 20'000;

    // What is to be reported; nothing if it is known already, or if the book is full: then only notKept() counts it.
    [[nodiscard]] std::optional<CaseEvent> begin(Case subject, WallTime at);
    [[nodiscard]] std::optional<CaseEvent> end(const Case& subject, WallTime at);
    // What begins and ends in one moment.
    [[nodiscard]] CaseEvent happen(Case subject, WallTime at);
    // An event of an earlier run that is already with the receiver, or on the way to it.
    void restore(const CaseEvent& event);

    // What is open at the target must be seen again: by begin(), before the next endUnconfirmed() there.
    void unconfirm(const QString& target);
    [[nodiscard]] std::vector<Case> unconfirmed(const QString& target) const;
    void confirm(const Case& subject);
    [[nodiscard]] std::optional<CaseEvent> endUnseen(const Case& subject, WallTime at);
    [[nodiscard]] std::vector<CaseEvent> endUnconfirmed(const QString& target, WallTime at);
    // Ends all of it, of a target that is not watched any more.
    [[nodiscard]] std::vector<CaseEvent> endAll(const QString& target, WallTime at);
    // The targets of open cases.
    [[nodiscard]] QSet<QString> targets() const;

    [[nodiscard]] qsizetype count() const noexcept { return m_open.size(); }
    // The number of begins that were not kept since the last call.
    [[nodiscard]] qint64 takeNotKept() { return std::exchange(m_notKept, 0); }
    // Whether it has changed since the last call.
    [[nodiscard]] bool takeChanged() { return std::exchange(m_changed, false); }

    // A line of JSON for each case, and for what has begun in the last minutes and ended. A line that cannot be read is
    // left out.
    [[nodiscard]] QByteArray lines() const;
    void read(const QByteArray& lines);

private:
    struct Open {
        Case subject;
        bool isConfirmed = true;
    };

    struct Counted {
        qint64 minute = 0;
        int count = 0;
    };

    void number(Case& subject);
    void recount(const QByteArray& root, const Counted& counted);
    [[nodiscard]] bool isRecent(const Counted& counted) const { return counted.minute + 1 >= m_newestMinute; }

    QHash<QByteArray, Open> m_open;       // by key
    QHash<QByteArray, Counted> m_counts;  // by root: those of the newest minute with any
    qint64 m_newestMinute = 0;
    qint64 m_notKept = 0;
    bool m_changed = false;
};

}  // namespace lockkeeper::serve
