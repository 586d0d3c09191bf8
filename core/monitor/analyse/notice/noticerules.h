#pragma once

#include "monitor/model/diagnosis.h"
#include "monitor/model/locksnapshot.h"

#include <QList>

#include <optional>

namespace lockkeeper::monitor {

// What the user wants to be told of, also while looking elsewhere. Nothing, unless asked for.
struct NoticeRules {
    std::optional<Milliseconds> heldLonger;
    std::optional<Milliseconds> ttlUnder;  // of holds whose TTL was seen above it
    QList<DiagnosisKind> diagnoses;
    QList<QByteArray> names;  // patterns as SCAN's; none: all locks

    [[nodiscard]] bool wantAnything() const { return heldLonger || ttlUnder || !diagnoses.isEmpty(); }
    friend bool operator==(const NoticeRules&, const NoticeRules&) = default;
};

enum class NoticeKind { HeldLonger, TtlUnder, Diagnosed };

// Something that a rule asks to be told of has begun.
struct Notice {
    NoticeKind kind = NoticeKind::HeldLonger;
    LockName lock;
    std::optional<Holder> holder;        // the only one, if there is one; for a diagnosis its evidence tells
    std::optional<Diagnosis> diagnosis;  // Diagnosed
    Milliseconds limit{0};               // of the rule; HeldLonger and TtlUnder

    // The same rule about the same lock, whatever else has changed.
    [[nodiscard]] bool isAsOf(const Notice& other) const {
        return kind == other.kind && lock == other.lock && diagnosis.has_value() == other.diagnosis.has_value() &&
               (!diagnosis || diagnosis->kind() == other.diagnosis->kind());
    }
};

}  // namespace lockkeeper::monitor
