// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"
#include "monitor/model/locksnapshot.h"

#include <QList>

#include <optional>

namespace lockkeeper::monitor {

// What the user wants to be notified of, even when the window is not visible. Off by default.
struct NoticeRules {
    std::optional<Milliseconds> heldLonger;
    std::optional<Milliseconds> ttlUnder;  // only for holds whose TTL was seen above it
    QList<DiagnosisKind> diagnoses;
    QList<QByteArray>
        names;  // patterns as for SCAN; empty: all locks. Of a client: for any lock that it does not renew

    [[nodiscard]] bool wantAnything() const { return heldLonger || ttlUnder || !diagnoses.isEmpty(); }
    friend bool operator==(const NoticeRules&, const NoticeRules&) = default;
};

enum class NoticeKind { HeldLonger, TtlUnder, Diagnosed };

// Something that a rule covers has begun.
struct Notice {
    NoticeKind kind = NoticeKind::HeldLonger;
    LockName lock;                       // of a client: one of those that it does not renew
    std::optional<Holder> holder;        // if there is only one; for a diagnosis see its evidence
    std::optional<Diagnosis> diagnosis;  // Diagnosed
    Milliseconds limit{0};               // the rule's; for HeldLonger and TtlUnder
    std::optional<ClientId> client{};    // of a diagnosis of a client

    // Whether both are for the same rule and the same lock or client, whatever else has changed.
    [[nodiscard]] bool isAsOf(const Notice& other) const {
        return kind == other.kind && client == other.client && (client || lock == other.lock) &&
               diagnosis.has_value() == other.diagnosis.has_value() &&
               (!diagnosis || diagnosis->kind() == other.diagnosis->kind());
    }
};

}  // namespace lockkeeper::monitor
