// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/lockfilter.h"

#include "ui/words/timetext.h"

#include <QRegularExpression>

#include <algorithm>
#include <limits>

namespace lockkeeper::ui {

namespace {

// "held" and ">5m" of held:>5m.
struct Field {
    QStringView name;
    QStringView value;
};

std::optional<Field> fieldOf(QStringView word) {
    const qsizetype colon = word.indexOf(QLatin1Char(':'));
    if (colon < 0)
        return std::nullopt;
    return Field{word.left(colon), word.mid(colon + 1)};
}

QStringList wordsOf(const QString& typed) {
    static const QRegularExpression word(QStringLiteral("(?:[a-zA-Z]+:)?\"[^\"]*\"?|\\S+"));
    QStringList words;
    for (const QRegularExpressionMatch& match : word.globalMatch(typed))
        words << match.captured();
    return words;
}

std::optional<qint64> millisecondsOf(QStringView unit) {
    static const QHash<QString, qint64> units{
        {QStringLiteral("ms"), 1},        {QStringLiteral("s"), 1000},     {QString(), 1000},
        {QStringLiteral("m"), 60'000},    {QStringLiteral("min"), 60'000}, {QStringLiteral("h"), 3'600'000},
        {QStringLiteral("d"), 86'400'000}};
    const auto found = units.constFind(unit.toString().toLower());
    if (found == units.cend())
        return std::nullopt;
    return *found;
}

// A lock may have two names, each in a line of its own.
bool beginsLine(const QString& lines, const QString& text) {
    return lines.startsWith(text, Qt::CaseInsensitive) || lines.contains(u'\n' + text, Qt::CaseInsensitive);
}

}  // namespace

LockFilter::LockFilter(const QString& typed) {
    for (const QString& word : wordsOf(typed))
        add(word);
}

void LockFilter::add(const QString& word) {
    const bool isQuoted = word.startsWith(QLatin1Char('"'));
    if (const std::optional<FilterMistake> mistake = isQuoted ? std::nullopt : mistakeIn(word)) {
        m_mistakes << *mistake;
        if (!mistake->mayBeName)
            return;
    }
    const std::optional<Term> field = isQuoted ? std::nullopt : fieldTerm(word);
    const Term term = field.value_or(textTerm(SearchedPart::All, QString(word).remove(QLatin1Char('"'))));
    if (term.quantity || !term.texts.isEmpty())
        m_terms.push_back(term);
}

std::optional<FilterMistake> LockFilter::mistakeIn(const QString& word) {
    static const QRegularExpression form(QStringLiteral("^([a-zA-Z]+):([<>]=?)?(.*)$"));
    static const QRegularExpression amount(QStringLiteral("^\\d+[a-zA-Z]*$"));
    const QRegularExpressionMatch match = form.match(word);
    if (!match.hasMatch())
        return std::nullopt;
    const QString field = match.captured(1).toLower();
    const QString value = match.captured(3);
    if (const std::optional<SearchedPart> part = partOf(field))
        return mistakeInValue(*part, word, field, value);
    const std::optional<Quantity> quantity = quantityOf(field);
    const bool isCompared = match.hasCaptured(2);
    if (!isCompared && (!quantity || value.isEmpty() || !value.front().isDigit()))
        return std::nullopt;
    if (!quantity)
        // A lock may have such a name, unless a number follows.
        return amount.match(value).hasMatch()
                   ? std::optional(FilterMistake{FilterMistake::Kind::UnknownField, word, nearestQuantity(field)})
                   : std::nullopt;
    if (value.isEmpty())
        return FilterMistake{FilterMistake::Kind::NoValue, word, field};
    if (compared(*quantity, QStringView(word).mid(field.size() + 1)))
        return std::nullopt;
    return FilterMistake{isTime(*quantity) ? FilterMistake::Kind::NoTime : FilterMistake::Kind::NoNumber, word, field,
                         !isCompared};
}

std::optional<FilterMistake> LockFilter::mistakeInValue(SearchedPart part, const QString& word, const QString& field,
                                                        const QString& value) {
    const QStringList known = knownTexts(part);
    if (known.isEmpty())
        return std::nullopt;
    const Term term = textTerm(part, QString(value).remove(QLatin1Char('"')));
    const auto isKnown = [&known](const QString& text) {
        return std::ranges::any_of(known,
                                   [&text](const QString& one) { return one.contains(text, Qt::CaseInsensitive); });
    };
    return std::ranges::all_of(term.texts, isKnown)
               ? std::nullopt
               : std::optional(FilterMistake{FilterMistake::Kind::NoSuchValue, word, field});
}

std::optional<LockFilter::Term> LockFilter::fieldTerm(const QString& word) {
    static const QRegularExpression begun(QStringLiteral("^[<>]?=?$"));
    const std::optional<Field> field = fieldOf(word);
    if (!field)
        return std::nullopt;
    std::optional<Term> term;
    if (const std::optional<SearchedPart> part = partOf(field->name))
        term = textTerm(*part, field->value.toString().remove(QLatin1Char('"')));
    else if (const std::optional<Quantity> quantity = quantityOf(field->name))
        term = begun.match(field->value).hasMatch() ? Term() : compared(*quantity, field->value);
    if (!term)
        return term;
    term->word = word.toUtf8();
    term->isAtBegin = field->name.compare(QLatin1String("prefix"), Qt::CaseInsensitive) == 0;
    return term;
}

// Names and addresses may have commas.
LockFilter::Term LockFilter::textTerm(SearchedPart part, const QString& text) {
    const bool hasAlternatives =
        part == SearchedPart::Kind || part == SearchedPart::State || part == SearchedPart::Diagnoses;
    Term term;
    term.part = part;
    term.texts = hasAlternatives ? text.split(QLatin1Char(','), Qt::SkipEmptyParts) : QStringList{text};
    term.texts.removeAll(QString());
    return term;
}

std::optional<SearchedPart> LockFilter::partOf(QStringView field) {
    static const QHash<QString, SearchedPart> parts{
        {QStringLiteral("prefix"), SearchedPart::Name},      {QStringLiteral("name"), SearchedPart::Name},
        {QStringLiteral("kind"), SearchedPart::Kind},        {QStringLiteral("state"), SearchedPart::State},
        {QStringLiteral("holder"), SearchedPart::Holders},   {QStringLiteral("diagnosis"), SearchedPart::Diagnoses},
        {QStringLiteral("client"), SearchedPart::Clients},   {QStringLiteral("node"), SearchedPart::Node},
        {QStringLiteral("internal"), SearchedPart::Internal}};
    const auto found = parts.constFind(field.toString().toLower());
    if (found == parts.cend())
        return std::nullopt;
    return *found;
}

const QHash<QString, LockFilter::Quantity>& LockFilter::quantities() {
    static const QHash<QString, Quantity> all{{QStringLiteral("held"), Quantity::HeldFor},
                                              {QStringLiteral("ttl"), Quantity::TimeLeft},
                                              {QStringLiteral("waiters"), Quantity::Waiters},
                                              {QStringLiteral("count"), Quantity::Count},
                                              {QStringLiteral("renewals"), Quantity::Renewals}};
    return all;
}

std::optional<LockFilter::Quantity> LockFilter::quantityOf(QStringView field) {
    const auto found = quantities().constFind(field.toString().toLower());
    if (found == quantities().cend())
        return std::nullopt;
    return *found;
}

// Two words are near if one letter was left out, added, exchanged or swapped with its neighbour, or the end is missing.
QString LockFilter::nearestQuantity(const QString& field) {
    const auto isNear = [&field](const QString& known) {
        qsizetype begin = 0;
        while (begin < std::min(field.size(), known.size()) && field.at(begin) == known.at(begin))
            ++begin;
        qsizetype end = 0;
        while (end < std::min(field.size(), known.size()) - begin &&
               field.at(field.size() - 1 - end) == known.at(known.size() - 1 - end))
            ++end;
        const qsizetype otherTyped = field.size() - begin - end;
        const qsizetype otherKnown = known.size() - begin - end;
        return (otherTyped <= 2 && otherKnown <= 2) || (known.startsWith(field) && field.size() >= 2);
    };
    QStringList near;
    for (const QString& known : quantities().keys()) {
        if (isNear(known))
            near << known;
    }
    return near.size() == 1 ? near.first() : QString();
}

bool LockFilter::isTime(Quantity quantity) {
    return quantity == Quantity::HeldFor || quantity == Quantity::TimeLeft;
}

std::optional<LockFilter::Term> LockFilter::compared(Quantity quantity, QStringView typed) {
    static const QHash<QString, Comparison> comparisons{
        {QStringLiteral("<"), Comparison::Less},     {QStringLiteral("<="), Comparison::AtMost},
        {QStringLiteral("="), Comparison::Equal},    {QString(), Comparison::Equal},
        {QStringLiteral(">="), Comparison::AtLeast}, {QStringLiteral(">"), Comparison::Greater}};
    static const QRegularExpression form(QStringLiteral("^([<>]?=?)(\\d{1,9})([a-zA-Z]*)$"));
    const QRegularExpressionMatch match = form.match(typed);
    if (!match.hasMatch())
        return std::nullopt;
    const std::optional<qint64> unit =
        isTime(quantity) ? millisecondsOf(match.capturedView(3)) : std::optional<qint64>(1);
    if (!unit || (!isTime(quantity) && !match.capturedView(3).isEmpty()))
        return std::nullopt;
    Term term;
    term.quantity = quantity;
    term.comparison = comparisons.value(match.captured(1));
    term.value = match.capturedView(2).toLongLong() * *unit;
    return term;
}

bool LockFilter::dependsOnTime() const {
    return std::ranges::any_of(m_terms, [](const Term& term) { return term.quantity && isTime(*term.quantity); });
}

bool LockFilter::accepts(const LockTableModel& locks, int row) const {
    return std::ranges::all_of(m_terms, [&](const Term& term) {
        return fulfils(locks, row, term) ||
               (!term.word.isEmpty() && locks.rowAt(row).lock.name.bytes().contains(term.word));
    });
}

bool LockFilter::isFulfilled(const LockTableModel& locks, int row) const {
    return std::ranges::all_of(m_terms, [&](const Term& term) { return fulfils(locks, row, term); });
}

bool LockFilter::isLowerBound(Quantity quantity, const monitor::LockRow& row) {
    switch (quantity) {
        case Quantity::HeldFor:
        case Quantity::Renewals:
            return !row.hold.isBeginSeen();
        case Quantity::Count:
            return row.lock.isCut();
        case Quantity::Waiters:
            return row.lock.monitorsAmongWaiters > 0;
        case Quantity::TimeLeft:
            break;
    }
    return false;
}

bool LockFilter::fulfils(const LockTableModel& locks, int row, const Term& term) {
    if (term.quantity) {
        const bool isAtLeast = isLowerBound(*term.quantity, locks.rowAt(row));
        const bool wantsAtLeast = term.comparison == Comparison::Greater || term.comparison == Comparison::AtLeast;
        const std::optional<qint64> value = valueOf(*term.quantity, locks, row);
        return value && (wantsAtLeast || !isAtLeast) && fulfils(*value, term);
    }
    const QString searched = locks.searchedText(row, term.part);
    return std::ranges::any_of(term.texts, [&](const QString& text) {
        return term.isAtBegin ? beginsLine(searched, text) : searched.contains(text, Qt::CaseInsensitive);
    });
}

std::optional<qint64> LockFilter::valueOf(Quantity quantity, const LockTableModel& locks, int row) {
    const monitor::LockRow& lock = locks.rowAt(row);
    if (quantity == Quantity::Waiters)
        return waitersAtLeast(lock.lock);
    if (!lock.lock.isHeld())
        return std::nullopt;
    switch (quantity) {
        case Quantity::HeldFor:
            return qint64{toMilliseconds(locks.momentOf(row) - lock.hold.since).count()};
        case Quantity::TimeLeft:
            if (lock.lock.neverExpires())
                return std::numeric_limits<qint64>::max();
            if (!lock.lock.expiry)
                return std::nullopt;
            return qint64{toMilliseconds(lock.lock.expiry->earliest - locks.momentOf(row)).count()};
        case Quantity::Count:
            return totalCount(lock.lock);
        case Quantity::Renewals:
            return qint64{lock.hold.renewals};
        case Quantity::Waiters:
            break;
    }
    return std::nullopt;
}

bool LockFilter::fulfils(qint64 value, const Term& term) {
    switch (term.comparison) {
        case Comparison::Less:
            return value < term.value;
        case Comparison::AtMost:
            return value <= term.value;
        case Comparison::Equal:
            return value == term.value;
        case Comparison::AtLeast:
            return value >= term.value;
        case Comparison::Greater:
            return value > term.value;
    }
    return false;
}

QString filterTerm(QLatin1String field, const QString& text) {
    if (text.isEmpty() || text.contains(u'"'))
        return {};
    const bool hasSpace = std::ranges::any_of(text, [](QChar c) { return c.isSpace(); });
    return field + u':' + (hasSpace ? u'"' + text + u'"' : text);
}

}  // namespace lockkeeper::ui
