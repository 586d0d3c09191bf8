// SPDX-License-Identifier: Apache-2.0
#include "ui/words/noticetext.h"

#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct NoticeText {
    Q_DECLARE_TR_FUNCTIONS(NoticeText)
};

QString textWithHolder(const monitor::NoticeFacts& notice, const QString& lock, const QString& holder) {
    switch (notice.kind) {
        case monitor::NoticeKind::HeldLonger:
            return NoticeText::tr("%1: held longer than %2, by %3").arg(lock, durationText(notice.limit), holder);
        case monitor::NoticeKind::TtlUnder:
            return NoticeText::tr("%1: less than %2 of its TTL left, by %3")
                .arg(lock, durationText(notice.limit), holder);
        case monitor::NoticeKind::Diagnosed:
            return NoticeText::tr("%1: %2, by %3", "a lock, a diagnosis, a holder")
                .arg(lock, diagnosisText(notice.diagnosis.value_or(monitor::DiagnosisKind()), notice.certainty),
                     holder);
        case monitor::NoticeKind::ManyWaiters:
            return NoticeText::tr("%1: %Ln waiter(s), held by %2", nullptr, static_cast<int>(notice.waiters))
                .arg(lock, holder);
        case monitor::NoticeKind::Lost:
            return NoticeText::tr("%1: expired while it was held by %2").arg(lock, holder);
    }
    return {};
}

QString textWithoutHolder(const monitor::NoticeFacts& notice, const QString& lock) {
    switch (notice.kind) {
        case monitor::NoticeKind::HeldLonger:
            return NoticeText::tr("%1: held longer than %2").arg(lock, durationText(notice.limit));
        case monitor::NoticeKind::TtlUnder:
            return NoticeText::tr("%1: less than %2 of its TTL left").arg(lock, durationText(notice.limit));
        case monitor::NoticeKind::Diagnosed:
            return NoticeText::tr("%1: %2", "a lock, a diagnosis")
                .arg(lock, diagnosisText(notice.diagnosis.value_or(monitor::DiagnosisKind()), notice.certainty));
        case monitor::NoticeKind::ManyWaiters:
            return NoticeText::tr("%1: %Ln waiter(s)", nullptr, static_cast<int>(notice.waiters)).arg(lock);
        case monitor::NoticeKind::Lost:
            return NoticeText::tr("%1: expired while it was held").arg(lock);
    }
    return {};
}

}  // namespace

QString noticeText(const monitor::NoticeFacts& notice, const HolderAliases& aliases) {
    if (notice.client && notice.diagnosis)
        return NoticeText::tr("%1: %2", "a client, a diagnosis")
            .arg(aliases.fullDisplay(*notice.client), diagnosisText(*notice.diagnosis, notice.certainty));
    const QString lock = plainName(notice.lock, shortName);
    return notice.holder ? textWithHolder(notice, lock, aliases.display(*notice.holder))
                         : textWithoutHolder(notice, lock);
}

QStringList bundleLines(const monitor::NoticeBundle& bundle, const HolderAliases& aliases) {
    QStringList lines;
    for (const monitor::Notice& notice : bundle.named)
        lines << noticeText(notice.facts(), aliases);
    if (bundle.more > 0)
        lines << NoticeText::tr("and %Ln more", nullptr, static_cast<int>(bundle.more));
    return lines;
}

}  // namespace lockkeeper::ui
