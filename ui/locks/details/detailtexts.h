// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/holderaliases.h"
#include "ui/words/locktext.h"
#include "ui/words/viewtime.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockkeeper::ui {

// The texts of the details' sections about one lock; empty where nothing is known. Refers to the arguments of its
// constructor, which outlive it.
class DetailTexts {
    Q_DECLARE_TR_FUNCTIONS(DetailTexts)
public:
    DetailTexts(const monitor::LockRow& row, const ViewTime& time, const HolderAliases& aliases)
        : m_row(row), m_time(time), m_aliases(aliases) {}

    [[nodiscard]] QString holders() const;
    [[nodiscard]] QString since() const;
    [[nodiscard]] QString lease() const;
    [[nodiscard]] QString renewals() const;
    [[nodiscard]] QString waiters() const;
    // What is known of a queue besides the lock's own waiters, see QueueTable.
    [[nodiscard]] QString otherQueue() const;
    [[nodiscard]] QString values() const;
    // What the threads of its holders and waiters do, by thread dumps of their JVMs, with the frames.
    [[nodiscard]] QString threads() const;

private:
    [[nodiscard]] QString waitersNow() const;
    [[nodiscard]] QString queueText(const QList<monitor::FairWaiter>& queue) const;
    [[nodiscard]] QString holderText(const monitor::Holder& holder) const;
    [[nodiscard]] QString threadText(const monitor::ThreadVerdict& verdict) const;
    [[nodiscard]] QStringList leaseEnds(const monitor::Holder& reader) const;

    const monitor::LockRow& m_row;
    const ViewTime& m_time;
    const HolderAliases& m_aliases;
};

// What can be concluded about a lock besides its diagnoses, in careful sentences, the most important first. "Not known"
// is an answer. own: what this console knows of its own hold.
[[nodiscard]] QStringList conclusions(const monitor::LockRow& row, const ViewTime& time, OwnLease own = OwnLease::None);

}  // namespace lockkeeper::ui
