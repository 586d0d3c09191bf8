// SPDX-License-Identifier: Apache-2.0
#include "ui/notice/noticesettings.h"

#include "base/exacttext.h"

#include <QSettings>

namespace lockkeeper::ui {

namespace {

const auto heldKey = QStringLiteral("notices/heldLongerMs");
const auto ttlKey = QStringLiteral("notices/ttlUnderMs");
const auto diagnosesKey = QStringLiteral("notices/diagnoses");
const auto namesKey = QStringLiteral("notices/names");
const auto desktopKey = QStringLiteral("notices/desktop");
const auto soundKey = QStringLiteral("notices/sound");

std::optional<Milliseconds> limitFrom(const QSettings& settings, const QString& key) {
    const qint64 limit = settings.value(key, 0).toLongLong();
    return limit > 0 ? std::optional(Milliseconds(limit)) : std::nullopt;
}

qint64 number(const std::optional<Milliseconds>& limit) {
    return limit.value_or(Milliseconds(0)).count();
}

}  // namespace

NoticeSettings NoticeSettings::load(const QSettings& settings) {
    NoticeSettings loaded;
    loaded.rules.heldLonger = limitFrom(settings, heldKey);
    loaded.rules.ttlUnder = limitFrom(settings, ttlKey);
    loaded.rules.names = patternsFrom(settings.value(namesKey).toString());
    const QStringList words = settings.value(diagnosesKey).toStringList();
    for (const monitor::DiagnosisKind kind : noticeableDiagnoses()) {
        if (words.contains(wordFor(kind)))
            loaded.rules.diagnoses.append(kind);
    }
    loaded.onDesktop = settings.value(desktopKey, loaded.onDesktop).toBool();
    loaded.withSound = settings.value(soundKey, loaded.withSound).toBool();
    return loaded;
}

void NoticeSettings::save(QSettings& settings) const {
    QStringList words;
    for (const monitor::DiagnosisKind kind : rules.diagnoses)
        words << wordFor(kind);
    settings.setValue(heldKey, number(rules.heldLonger));
    settings.setValue(ttlKey, number(rules.ttlUnder));
    settings.setValue(diagnosesKey, words);
    settings.setValue(namesKey, patternsText(rules.names));
    settings.setValue(desktopKey, onDesktop);
    settings.setValue(soundKey, withSound);
}

QList<QByteArray> patternsFrom(const QString& text) {
    QList<QByteArray> patterns;
    for (const QString& pattern : text.simplified().split(u' ', Qt::SkipEmptyParts))
        patterns << pattern.toUtf8();
    return patterns;
}

QString patternsText(const QList<QByteArray>& patterns) {
    return decodedUtf8(patterns.join(' ')).value_or(QString());
}

QList<monitor::DiagnosisKind> noticeableDiagnoses() {
    QList<monitor::DiagnosisKind> kinds;
    for (size_t i = 0; i < std::variant_size_v<monitor::AnyEvidence>; ++i) {
        const auto kind = static_cast<monitor::DiagnosisKind>(i);
        if (kind != monitor::DiagnosisKind::UnlockFromOtherThread)
            kinds << kind;
    }
    return kinds;
}

}  // namespace lockkeeper::ui
