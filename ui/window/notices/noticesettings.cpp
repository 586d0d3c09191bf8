// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticesettings.h"

#include "base/exacttext.h"
#include "ui/base/storedvalues.h"

#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto heldKey = QStringLiteral("notices/heldLongerMs");
const auto ttlKey = QStringLiteral("notices/ttlUnderMs");
const auto diagnosesKey = QStringLiteral("notices/diagnoses");
const auto namesKey = QStringLiteral("notices/names");
const auto desktopKey = QStringLiteral("notices/desktop");
const auto soundKey = QStringLiteral("notices/sound");

// Beyond what the fields can show, a sum with a time would overflow.
std::optional<Milliseconds> limitFrom(QSettings& settings, const QString& key) {
    constexpr Milliseconds longest = std::chrono::hours(1'000'000);
    const qint64 limit = storedNumber(settings, key, 0, longest.count()).value_or(0);
    return limit > 0 ? std::optional(Milliseconds(limit)) : std::nullopt;
}

QList<monitor::DiagnosisKind> diagnosesFrom(QSettings& settings) {
    const QList<monitor::DiagnosisKind> known = monitor::noticeableDiagnoses();
    const QStringList words = storedTexts(settings, diagnosesKey, known.size(), [&known](const QString& word) {
        return std::ranges::any_of(known, [&word](monitor::DiagnosisKind kind) { return wordFor(kind) == word; });
    });
    QList<monitor::DiagnosisKind> chosen;
    for (const monitor::DiagnosisKind kind : known) {
        if (words.contains(wordFor(kind)))
            chosen << kind;
    }
    return chosen;
}

qint64 number(const std::optional<Milliseconds>& limit) {
    return limit.value_or(Milliseconds(0)).count();
}

}  // namespace

NoticeSettings NoticeSettings::load(QSettings& settings) {
    constexpr qsizetype longestNames = 10'000;
    NoticeSettings loaded;
    loaded.rules.heldLonger = limitFrom(settings, heldKey);
    loaded.rules.ttlUnder = limitFrom(settings, ttlKey);
    const auto isShort = [](const QString& text) { return text.size() <= longestNames; };
    loaded.rules.names = patternsFrom(storedText(settings, namesKey, isShort).value_or(QString()));
    loaded.rules.diagnoses = diagnosesFrom(settings);
    loaded.onDesktop = storedSwitch(settings, desktopKey).value_or(loaded.onDesktop);
    loaded.withSound = storedSwitch(settings, soundKey).value_or(loaded.withSound);
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

NoticeChoice::NoticeChoice(QSettings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_chosen(NoticeSettings::load(settings)) {}

void NoticeChoice::choose(const NoticeSettings& chosen) {
    if (chosen == m_chosen)
        return;
    m_chosen = chosen;
    m_chosen.save(m_settings);
    Q_EMIT changed();
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

}  // namespace lockkeeper::ui

#include "moc_noticesettings.cpp"
