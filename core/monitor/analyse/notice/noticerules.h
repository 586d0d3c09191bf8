// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/diagnosis.h"
#include "monitor/model/locksnapshot.h"

#include <QList>

#include <optional>

namespace lockkeeper::monitor {

// What the user wants to be notified of, even when no window is visible. Off by default.
struct NoticeRules {
    std::optional<Milliseconds> heldLonger;
    std::optional<Milliseconds> ttlUnder;  // only for holds whose TTL was seen above it
    QList<DiagnosisKind> diagnoses;
    QList<QByteArray>
        names;  // patterns as for SCAN; empty: all locks. Of a client: for any lock that it does not renew
    Certainty leastCertain = Certainty::Suspected;  // of a diagnosis when it begins
    std::optional<qint64> waitersAtLeast;           // certain ones: other monitors do not count
    bool lost = false;                              // a lease ended before its holder released the lock

    [[nodiscard]] bool wantAnything() const {
        return heldLonger || ttlUnder || !diagnoses.isEmpty() || waitersAtLeast || lost;
    }
    [[nodiscard]] bool want(const Diagnosis& diagnosis) const {
        return diagnoses.contains(diagnosis.kind()) && diagnosis.certainty <= leastCertain;
    }
    friend bool operator==(const NoticeRules&, const NoticeRules&) = default;
};

// The diagnoses that are found by watching alone.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<DiagnosisKind> noticeableDiagnoses();

enum class NoticeKind { HeldLonger, TtlUnder, Diagnosed, ManyWaiters, Lost };

// Stable lower-case words, such as "held_longer".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(NoticeKind kind);

// What people and other programs are shown of a notice. Smaller than the notice: without the evidence.
struct NoticeFacts {
    NoticeKind kind = NoticeKind::HeldLonger;
    LockName lock;
    std::optional<HolderId> holder;
    std::optional<ClientId> client;  // of a diagnosis of a client
    std::optional<DiagnosisKind> diagnosis;
    Certainty certainty = Certainty::Suspected;  // of the diagnosis
    Milliseconds limit{0};
    qint64 waiters = 0;

    friend bool operator==(const NoticeFacts&, const NoticeFacts&) = default;
};

// Something that a rule covers has begun.
struct Notice {
    NoticeKind kind = NoticeKind::HeldLonger;
    LockName lock;                       // of a client: one of those that it does not renew
    std::optional<Holder> holder;        // if there is only one; for a diagnosis see its evidence
    std::optional<Diagnosis> diagnosis;  // Diagnosed
    Milliseconds limit{0};               // the rule's; for HeldLonger and TtlUnder
    std::optional<ClientId> client{};    // of a diagnosis of a client
    qint64 waiters = 0;                  // ManyWaiters: when it began

    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT NoticeFacts facts() const;

    // Whether both are for the same rule and the same lock or client, whatever else has changed.
    [[nodiscard]] bool isAsOf(const Notice& other) const {
        return kind == other.kind && client == other.client && (client || lock == other.lock) &&
               diagnosis.has_value() == other.diagnosis.has_value() &&
               (!diagnosis || diagnosis->kind() == other.diagnosis->kind());
    }
};

}  // namespace lockkeeper::monitor
