// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticeruletext.h"

#include "base/exacttext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>

namespace lockkeeper::monitor {

namespace {

const auto heldWord = QStringLiteral("held");
const auto ttlWord = QStringLiteral("ttl");
const auto diagnosisWord = QStringLiteral("diagnosis");
const auto certaintyWord = QStringLiteral("certainty");
const auto waitersWord = QStringLiteral("waiters");
const auto matchWord = QStringLiteral("match");
const auto lostWord = QStringLiteral("lost");
const auto anyWord = QStringLiteral("any");

constexpr std::array certainties{Certainty::Certain, Certainty::Likely, Certainty::Suspected};

const char* sentenceOf(NoticeRuleCause cause) {
    switch (cause) {
        case NoticeRuleCause::UnknownWord:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "a rule has no word '%1': it has held=SECONDS, ttl=SECONDS, waiters=N, "
                                     "diagnosis=KIND, certainty=WORD, lost and match=PATTERN");
        case NoticeRuleCause::NoSeconds:
            return QT_TRANSLATE_NOOP("CauseText", "'%1' of a rule takes a number of seconds above 0");
        case NoticeRuleCause::NoCount:
            return QT_TRANSLATE_NOOP("CauseText", "'%1' of a rule takes a whole number above 0");
        case NoticeRuleCause::UnknownDiagnosis:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "there is no diagnosis '%1': see the manual's page about diagnoses, or use "
                                     "diagnosis=any");
        case NoticeRuleCause::UnknownCertainty:
            return QT_TRANSLATE_NOOP("CauseText", "there is no certainty '%1': it is certain, likely or suspected");
        case NoticeRuleCause::NoPattern:
            return QT_TRANSLATE_NOOP("CauseText", "match= of a rule takes a pattern of names");
        case NoticeRuleCause::NothingWanted:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the rule never applies: it needs held=, ttl=, waiters=, diagnosis= or lost");
    }
    return "";
}

Error refused(NoticeRuleCause cause, const QString& argument) {
    return Error(ErrorCode::InvalidArgument, cause, {argument});
}

std::optional<Milliseconds> secondsFrom(const QString& text) {
    constexpr double longest = 365.0 * 24 * 3600;
    bool ok = false;
    const double seconds = text.toDouble(&ok);
    const bool isInRange = seconds >= 0.001 && seconds <= longest;  // false for NaN
    return ok && isInRange ? std::optional(Milliseconds(qRound64(seconds * 1000))) : std::nullopt;
}

QString secondsText(Milliseconds time) {
    return QString::number(static_cast<double>(time.count()) / 1000, 'g', QLocale::FloatingPointShortest);
}

QList<DiagnosisKind> faults() {
    QList<DiagnosisKind> kinds;
    for (const DiagnosisKind kind : noticeableDiagnoses()) {
        if (severityOf(kind) == Severity::Fault)
            kinds << kind;
    }
    return kinds;
}

std::optional<Error> addDiagnoses(NoticeRules& rules, const QString& words) {
    const QList<DiagnosisKind> known = noticeableDiagnoses();
    for (const QString& word : words.split(u',')) {
        const auto kind = std::ranges::find_if(known, [&word](DiagnosisKind one) { return wordFor(one) == word; });
        if (word != anyWord && kind == known.end())
            return refused(NoticeRuleCause::UnknownDiagnosis, word);
        for (const DiagnosisKind wanted : word == anyWord ? faults() : QList<DiagnosisKind>{*kind}) {
            if (!rules.diagnoses.contains(wanted))
                rules.diagnoses << wanted;
        }
    }
    return std::nullopt;
}

std::optional<Error> setTime(std::optional<Milliseconds>& time, const QString& name, const QString& value) {
    time = secondsFrom(value);
    return time ? std::nullopt : std::optional(refused(NoticeRuleCause::NoSeconds, name));
}

std::optional<Error> setCertainty(NoticeRules& rules, const QString& value) {
    const auto* const found = std::ranges::find_if(certainties, [&](Certainty one) { return wordFor(one) == value; });
    if (found == certainties.end())
        return refused(NoticeRuleCause::UnknownCertainty, value);
    rules.leastCertain = *found;
    return std::nullopt;
}

std::optional<Error> setWaiters(NoticeRules& rules, const QString& value) {
    bool ok = false;
    const qint64 count = value.toLongLong(&ok);
    if (!ok || count < 1)
        return refused(NoticeRuleCause::NoCount, waitersWord);
    rules.waitersAtLeast = count;
    return std::nullopt;
}

std::optional<Error> take(NoticeRules& rules, const QString& word) {
    const qsizetype joint = word.indexOf(u'=');
    const QString name = word.left(joint);  // all of it without a joint
    const QString value = joint < 0 ? QString() : word.sliced(joint + 1);
    if (word == lostWord) {
        rules.lost = true;
        return std::nullopt;
    }
    if (joint >= 0 && name == heldWord)
        return setTime(rules.heldLonger, name, value);
    if (joint >= 0 && name == ttlWord)
        return setTime(rules.ttlUnder, name, value);
    if (joint >= 0 && name == waitersWord)
        return setWaiters(rules, value);
    if (joint >= 0 && name == certaintyWord)
        return setCertainty(rules, value);
    if (joint >= 0 && name == diagnosisWord)
        return addDiagnoses(rules, value);
    if (joint < 0 || name != matchWord)
        return refused(NoticeRuleCause::UnknownWord, word);
    if (value.isEmpty())
        return Error(ErrorCode::InvalidArgument, NoticeRuleCause::NoPattern);
    rules.names << value.toUtf8();
    return std::nullopt;
}

}  // namespace

const CauseTable& causeTable(NoticeRuleCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return sentenceOf(static_cast<NoticeRuleCause>(cause)); }};
    return table;
}

Result<NoticeRules> noticeRulesFrom(const QString& text) {
    NoticeRules rules;
    for (const QString& word : text.simplified().split(u' ', Qt::SkipEmptyParts)) {
        if (const std::optional<Error> error = take(rules, word))
            return *error;
    }
    if (!rules.wantAnything())
        return Error(ErrorCode::InvalidArgument, NoticeRuleCause::NothingWanted);
    return rules;
}

QString ruleText(const NoticeRules& rules) {
    if (!rules.wantAnything())
        return {};
    const auto joined = [](const QString& name, const QString& value) { return name + u'=' + value; };
    QStringList words;
    if (rules.heldLonger)
        words << joined(heldWord, secondsText(*rules.heldLonger));
    if (rules.ttlUnder)
        words << joined(ttlWord, secondsText(*rules.ttlUnder));
    if (rules.waitersAtLeast)
        words << joined(waitersWord, QString::number(*rules.waitersAtLeast));
    if (rules.lost)
        words << lostWord;
    QStringList kinds;
    for (const DiagnosisKind kind : rules.diagnoses)
        kinds << wordFor(kind);
    if (!kinds.isEmpty())
        words << joined(diagnosisWord, kinds.join(u','));
    if (rules.leastCertain != Certainty::Suspected)
        words << joined(certaintyWord, wordFor(rules.leastCertain));
    for (const QByteArray& name : rules.names)
        words << joined(matchWord, decodedUtf8(name).value_or(QString()).replace(u' ', u'?'));
    return words.join(u' ');
}

}  // namespace lockkeeper::monitor
