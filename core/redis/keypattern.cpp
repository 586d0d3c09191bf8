// SPDX-License-Identifier: Apache-2.0
#include "redis/keypattern.h"

#include <algorithm>

namespace lockkeeper::redis {

namespace {

// The result of comparing one element of a pattern (not a star) with one byte.
struct Verdict {
    bool matches;
    qsizetype length;  // length of the element in the pattern
};

// `set` begins after the bracket. A set that is never closed extends to the end of the pattern.
Verdict matchSet(QByteArrayView set, uchar byte) {
    const bool negated = set.startsWith('^');
    qsizetype at = negated ? 1 : 0;
    bool found = false;
    for (; at < set.size() && set[at] != ']'; ++at) {
        if (set[at] == '\\' && at + 1 < set.size())
            ++at;
        uchar first = static_cast<uchar>(set[at]);
        uchar last = first;
        if (at + 2 < set.size() && set[at + 1] == '-') {
            last = static_cast<uchar>(set[at + 2]);
            at += 2;
        }
        if (first > last)
            std::swap(first, last);
        found = found || (first <= byte && byte <= last);
    }
    return {found != negated, std::min(at + 1, set.size()) + 1};
}

Verdict matchElement(QByteArrayView pattern, char byte) {
    switch (pattern.front()) {
        case '?':
            return {true, 1};
        case '[':
            return matchSet(pattern.sliced(1), static_cast<uchar>(byte));
        case '\\':
            if (pattern.size() > 1)
                return {pattern[1] == byte, 2};
            break;
        default:
            break;
    }
    return {pattern.front() == byte, 1};
}

}  // namespace

// Backtracking is only needed to the last star: whatever an earlier star could match, the last one can match too.
bool matchesPattern(QByteArrayView pattern, QByteArrayView key) {
    qsizetype inPattern = 0;
    qsizetype inKey = 0;
    qsizetype afterStar = -1;
    qsizetype takenByStar = 0;
    while (inKey < key.size()) {
        if (inPattern < pattern.size() && pattern[inPattern] == '*') {
            afterStar = ++inPattern;
            takenByStar = inKey;
            continue;
        }
        const Verdict verdict =
            inPattern < pattern.size() ? matchElement(pattern.sliced(inPattern), key[inKey]) : Verdict{false, 0};
        if (verdict.matches) {
            inPattern += verdict.length;
            ++inKey;
        } else if (afterStar >= 0) {
            inPattern = afterStar;
            inKey = ++takenByStar;
        } else {
            return false;
        }
    }
    return std::all_of(pattern.begin() + inPattern, pattern.end(), [](char rest) { return rest == '*'; });
}

}  // namespace lockkeeper::redis
