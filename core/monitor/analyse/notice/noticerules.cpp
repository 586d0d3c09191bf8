// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticerules.h"

#include <variant>

namespace lockkeeper::monitor {

QList<DiagnosisKind> noticeableDiagnoses() {
    QList<DiagnosisKind> kinds;
    for (size_t i = 0; i < std::variant_size_v<AnyEvidence>; ++i) {
        const auto kind = static_cast<DiagnosisKind>(i);
        if (kind != DiagnosisKind::UnlockFromOtherThread)
            kinds << kind;
    }
    return kinds;
}

QString wordFor(NoticeKind kind) {
    switch (kind) {
        case NoticeKind::HeldLonger:
            return QStringLiteral("held_longer");
        case NoticeKind::TtlUnder:
            return QStringLiteral("ttl_under");
        case NoticeKind::Diagnosed:
            return QStringLiteral("diagnosis");
        case NoticeKind::ManyWaiters:
            return QStringLiteral("waiters");
        case NoticeKind::Lost:
            return QStringLiteral("lost");
    }
    return {};
}

NoticeFacts Notice::facts() const {
    NoticeFacts facts;
    facts.kind = kind;
    facts.lock = lock;
    facts.client = client;
    facts.limit = limit;
    facts.waiters = waiters;
    if (holder)
        facts.holder = holder->id;
    if (diagnosis) {
        facts.diagnosis = diagnosis->kind();
        facts.certainty = diagnosis->certainty;
    }
    return facts;
}

}  // namespace lockkeeper::monitor
