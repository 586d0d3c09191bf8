#include "ui/notice/noticetext.h"

#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct NoticeText {
    Q_DECLARE_TR_FUNCTIONS(NoticeText)
};

QString what(const monitor::Notice& notice) {
    switch (notice.kind) {
        case monitor::NoticeKind::HeldLonger:
            return NoticeText::tr("held longer than %1").arg(durationText(notice.limit));
        case monitor::NoticeKind::TtlUnder:
            return NoticeText::tr("less than %1 of its TTL left").arg(durationText(notice.limit));
        case monitor::NoticeKind::Diagnosed:
            return notice.diagnosis ? diagnosisText(*notice.diagnosis) : QString();
    }
    return {};
}

}  // namespace

QString noticeText(const monitor::Notice& notice, const HolderAliases& aliases) {
    const QString lock = plainName(notice.lock, shortName);
    return notice.holder ? NoticeText::tr("%1: %2, by %3").arg(lock, what(notice), aliases.display(notice.holder->id))
                         : NoticeText::tr("%1: %2").arg(lock, what(notice));
}

QStringList bundleLines(const monitor::NoticeBundle& bundle, const HolderAliases& aliases) {
    QStringList lines;
    for (const monitor::Notice& notice : bundle.named)
        lines << noticeText(notice, aliases);
    if (bundle.more > 0)
        lines << NoticeText::tr("and %1 more").arg(numberText(static_cast<qint64>(bundle.more)));
    return lines;
}

}  // namespace lockkeeper::ui
