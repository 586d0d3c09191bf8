// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticetext.h"

#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct NoticeText {
    Q_DECLARE_TR_FUNCTIONS(NoticeText)
};

QString textWithHolder(const monitor::Notice& notice, const QString& lock, const QString& holder) {
    const QString limit = durationText(notice.limit);
    switch (notice.kind) {
        case monitor::NoticeKind::HeldLonger:
            return NoticeText::tr("%1: held longer than %2, by %3").arg(lock, limit, holder);
        case monitor::NoticeKind::TtlUnder:
            return NoticeText::tr("%1: less than %2 of its TTL left, by %3").arg(lock, limit, holder);
        case monitor::NoticeKind::Diagnosed:
            return NoticeText::tr("%1: %2, by %3", "a lock, a diagnosis, a holder")
                .arg(lock, notice.diagnosis ? diagnosisText(*notice.diagnosis) : QString(), holder);
    }
    return {};
}

QString textWithoutHolder(const monitor::Notice& notice, const QString& lock) {
    const QString limit = durationText(notice.limit);
    switch (notice.kind) {
        case monitor::NoticeKind::HeldLonger:
            return NoticeText::tr("%1: held longer than %2").arg(lock, limit);
        case monitor::NoticeKind::TtlUnder:
            return NoticeText::tr("%1: less than %2 of its TTL left").arg(lock, limit);
        case monitor::NoticeKind::Diagnosed:
            return NoticeText::tr("%1: %2", "a lock, a diagnosis")
                .arg(lock, notice.diagnosis ? diagnosisText(*notice.diagnosis) : QString());
    }
    return {};
}

}  // namespace

QString noticeText(const monitor::Notice& notice, const HolderAliases& aliases) {
    if (notice.client && notice.diagnosis)
        return NoticeText::tr("%1: %2", "a client, a diagnosis")
            .arg(aliases.fullDisplay(*notice.client), diagnosisText(*notice.diagnosis));
    const QString lock = plainName(notice.lock, shortName);
    return notice.holder ? textWithHolder(notice, lock, aliases.display(notice.holder->id))
                         : textWithoutHolder(notice, lock);
}

QStringList bundleLines(const monitor::NoticeBundle& bundle, const HolderAliases& aliases) {
    QStringList lines;
    for (const monitor::Notice& notice : bundle.named)
        lines << noticeText(notice, aliases);
    if (bundle.more > 0)
        lines << NoticeText::tr("and %Ln more", nullptr, static_cast<int>(bundle.more));
    return lines;
}

}  // namespace lockkeeper::ui
