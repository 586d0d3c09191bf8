// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/lockorder.h"

#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::ui {

namespace {

// Whether the character is shown without an escape.
bool isPlain(char letter) {
    return letter >= ' ' && letter <= '~' && letter != '\\';
}

char folded(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

char16_t folded(QChar letter) {
    return letter.toCaseFolded().unicode();
}

bool isDigit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool isDigit(QChar letter) {
    return letter >= u'0' && letter <= u'9';
}

bool isZero(char letter) {
    return letter == '0';
}

bool isZero(QChar letter) {
    return letter == u'0';
}

// Compares a part of two texts, with numbers in them by their value: job2 comes before job10.
template <typename Text>
class NaturalComparison {
public:
    NaturalComparison(Text a, Text b) : m_a(a), m_b(b) {}

    [[nodiscard]] bool isAtEnd() const { return m_atA >= m_a.size() || m_atB >= m_b.size(); }
    [[nodiscard]] auto letterOfA() const { return m_a[m_atA]; }
    [[nodiscard]] auto letterOfB() const { return m_b[m_atB]; }
    // The next letter of both, or the next number. Not at the end.
    int next() {
        if (isDigit(letterOfA()) && isDigit(letterOfB()))
            return nextNumber();
        const auto a = folded(m_a[m_atA++]);
        const auto b = folded(m_b[m_atB++]);
        return a == b ? 0 : a < b ? -1 : 1;
    }
    // When one of them is at its end: the shorter one comes first.
    [[nodiscard]] int rest() const {
        const bool isAOver = m_atA >= m_a.size();
        const bool isBOver = m_atB >= m_b.size();
        return isAOver == isBOver ? 0 : isAOver ? -1 : 1;
    }

private:
    static qsizetype afterZeros(Text text, qsizetype at) {
        while (at < text.size() && isZero(text[at]))
            ++at;
        return at;
    }
    static qsizetype afterDigits(Text text, qsizetype at) {
        while (at < text.size() && isDigit(text[at]))
            ++at;
        return at;
    }
    int nextNumber() {
        const qsizetype a = afterZeros(m_a, m_atA);
        const qsizetype b = afterZeros(m_b, m_atB);
        m_atA = afterDigits(m_a, a);
        m_atB = afterDigits(m_b, b);
        if (m_atA - a != m_atB - b)
            return m_atA - a < m_atB - b ? -1 : 1;
        for (qsizetype i = 0; a + i < m_atA; ++i) {
            if (m_a[a + i] != m_b[b + i])
                return m_a[a + i] < m_b[b + i] ? -1 : 1;
        }
        return 0;
    }

    Text m_a;
    Text m_b;
    qsizetype m_atA = 0;
    qsizetype m_atB = 0;
};

// Bytes of a name. Longer names are ordered by their bytes: comparing them as shown would take too long at each change.
constexpr qsizetype comparedAsShown = 1024;

// For two long names with the same beginning. A name that is longer than what is compared comes after one that is not.
int compareRest(const QByteArray& a, const QByteArray& b) {
    const bool isLong = a.size() > comparedAsShown;
    if (isLong != (b.size() > comparedAsShown))
        return isLong ? 1 : -1;
    return isLong ? a.compare(b) : 0;
}

int compareTexts(const QString& one, const QString& other) {
    NaturalComparison<QStringView> comparison(one, other);
    int order = 0;
    while (order == 0 && !comparison.isAtEnd())
        order = comparison.next();
    return order != 0 ? order : comparison.rest();
}

int compareHeads(const LockName& one, const LockName& other) {
    const int order = compareTexts(headOf(one, comparedAsShown).display(), headOf(other, comparedAsShown).display());
    return order != 0 ? order : compareRest(one.bytes(), other.bytes());
}

}  // namespace

int compareAsShown(const LockName& one, const LockName& other) {
    const QByteArray& a = one.bytes();
    const QByteArray& b = other.bytes();
    NaturalComparison<QByteArrayView> comparison(QByteArrayView(a).first(std::min(a.size(), comparedAsShown)),
                                                 QByteArrayView(b).first(std::min(b.size(), comparedAsShown)));
    while (!comparison.isAtEnd()) {
        if (!isPlain(comparison.letterOfA()) || !isPlain(comparison.letterOfB()))
            return compareHeads(one, other);
        if (const int order = comparison.next(); order != 0)
            return order;
    }
    const int order = comparison.rest();
    return order != 0 ? order : compareRest(a, b);
}

int urgencyOf(const monitor::LockRow& row) {
    constexpr int afterFaults = 1000;
    if (monitor::hasFault(row.diagnoses))
        return static_cast<int>(row.diagnoses.first().kind());
    if (row.lock.neverExpires())
        return afterFaults;
    if (row.lock.isWaitedFor())
        return afterFaults + 1;
    return afterFaults + (row.lock.isHeld() ? 2 : 3);
}

QVariant sortValueOf(const monitor::LockRow& row, LockTableModel::Column column, const HolderAliases& aliases) {
    constexpr qint64 last = std::numeric_limits<qint64>::max();
    const bool held = row.lock.isHeld();
    switch (column) {
        case LockTableModel::State:
            return urgencyOf(row);
        case LockTableModel::Name:
            return plainName(row.lock.name);
        case LockTableModel::Kind:
            return kindTextOf(row.lock);
        case LockTableModel::HolderColumn:
            return holdersText(row.lock, aliases);
        case LockTableModel::Count:
            return totalCount(row.lock);
        case LockTableModel::Ttl:
            if (row.lock.neverExpires())
                return last - 1;
            return row.lock.expiry ? qint64{toMilliseconds(row.lock.expiry->earliest.time_since_epoch()).count()}
                                   : last;
        case LockTableModel::HeldFor:
            return held ? qint64{toMilliseconds(row.hold.since.time_since_epoch()).count()} : last;
        case LockTableModel::Renewals:
            return held ? qint64{row.hold.renewals} : qint64{-1};
        case LockTableModel::Waiters:
            return row.lock.waiters.value_or(-1);
        case LockTableModel::WaitingSinceColumn:
            return row.waits->present.isEmpty()
                       ? last
                       : qint64{toMilliseconds(row.waits->present.first().latest.time_since_epoch()).count()};
        case LockTableModel::Rate:
            return row.throughput ? row.throughput->perSecond(row.throughput->acquisitions) : -1.0;
        case LockTableModel::DiagnosisColumn:
            return row.diagnoses.isEmpty() ? last : static_cast<qint64>(row.diagnoses.first().kind());
        case LockTableModel::NodeColumn:
            return nodeText(row.lock);
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui
