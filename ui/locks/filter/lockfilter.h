// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/lockcolumns.h"

#include <QHash>

#include <vector>

namespace lockkeeper::ui {

// A word that was meant as a field with a comparison, and cannot be read as one.
struct FilterMistake {
    enum class Kind {
        NoValue,       // count:>
        NoTime,        // ttl:<abc
        NoNumber,      // count:>5s
        UnknownField,  // waiter:>0
        NoSuchValue,   // state:banana
    };

    Kind kind = Kind::NoValue;
    QString word;   // as typed
    QString field;  // the one that was probably meant; empty: not known
    // Without a comparison it may also be a part of a name, and is searched as one: held:5x.
    bool mayBeName = false;

    friend bool operator==(const FilterMistake&, const FilterMistake&) = default;
};

// What a reader types to find locks. A lock is shown when it fulfils every term:
//   word                                  is in its name, kind, state, a diagnosis or a holder; in any case
//   name: holder: node:TEXT                                  is in that part
//   prefix:TEXT                           begins its name
//   internal:yes, internal:no             Redisson takes it for an object of its own, or not; also map, queue
//   kind: state: diagnosis:TEXT,TEXT...                      one of them is in that part
//   held: ttl:                            a time, compared: held:>5m, ttl:<10s (ms, s, m, h, d; s without a unit)
//   waiters: count: renewals:             a number, compared: waiters:>0, count:2
//   "any words"                           as they stand there, with spaces and colons; also behind a field: name:"a b"
// Names have colons too: a word with a field also finds the locks whose name has it as it was typed. A field without a
// value yet is being typed, and lets everything through, and so does a mistake.
class LockFilter {
public:
    LockFilter() = default;
    explicit LockFilter(const QString& typed);

    [[nodiscard]] bool isEmpty() const noexcept { return m_terms.empty(); }
    // In the order of the words.
    [[nodiscard]] const QList<FilterMistake>& mistakes() const noexcept { return m_mistakes; }
    // Whether the locks that pass change with time alone.
    [[nodiscard]] bool dependsOnTime() const;
    [[nodiscard]] bool accepts(const LockTableModel& locks, int row) const;
    // Whether the lock fulfils every term as a field. accepts() also lets locks through whose name has a word with a
    // field.
    [[nodiscard]] bool isFulfilled(const LockTableModel& locks, int row) const;

    friend bool operator==(const LockFilter&, const LockFilter&) = default;

private:
    enum class Quantity { HeldFor, TimeLeft, Waiters, Count, Renewals };
    enum class Comparison { Less, AtMost, Equal, AtLeast, Greater };

    struct Term {
        QByteArray word;                   // as typed, when it names a field
        std::optional<Quantity> quantity;  // nothing: a text
        SearchedPart part = SearchedPart::All;
        QStringList texts;       // one of them
        bool isAtBegin = false;  // not anywhere in the part
        Comparison comparison = Comparison::Equal;
        qint64 value = 0;  // milliseconds, for a time

        friend bool operator==(const Term&, const Term&) = default;
    };

    void add(const QString& word);
    [[nodiscard]] static std::optional<FilterMistake> mistakeIn(const QString& word);
    [[nodiscard]] static std::optional<FilterMistake> mistakeInValue(SearchedPart part, const QString& word,
                                                                     const QString& field, const QString& value);
    // Nothing: it names none. A term without texts and without a quantity: its value is still to come.
    [[nodiscard]] static std::optional<Term> fieldTerm(const QString& word);
    [[nodiscard]] static Term textTerm(SearchedPart part, const QString& text);
    [[nodiscard]] static const QHash<QString, Quantity>& quantities();
    [[nodiscard]] static std::optional<Quantity> quantityOf(QStringView field);
    // Empty: none, or more than one.
    [[nodiscard]] static QString nearestQuantity(const QString& field);
    [[nodiscard]] static std::optional<SearchedPart> partOf(QStringView field);
    [[nodiscard]] static std::optional<Term> compared(Quantity quantity, QStringView typed);
    [[nodiscard]] static bool isTime(Quantity quantity);
    // Nothing: the value is not known, or the lock has none.
    [[nodiscard]] static std::optional<qint64> valueOf(Quantity quantity, const LockTableModel& locks, int row);
    // Whether the value may be larger than what is known.
    [[nodiscard]] static bool isLowerBound(Quantity quantity, const monitor::LockRow& row);
    [[nodiscard]] static bool fulfils(const LockTableModel& locks, int row, const Term& term);
    [[nodiscard]] static bool fulfils(qint64 value, const Term& term);

    std::vector<Term> m_terms;
    QList<FilterMistake> m_mistakes;
};

// What a reader would type to find this text in that part of a lock; empty: it cannot be typed.
[[nodiscard]] QString filterTerm(QLatin1String field, const QString& text);

}  // namespace lockkeeper::ui
