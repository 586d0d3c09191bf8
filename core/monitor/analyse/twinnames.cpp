// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/twinnames.h"

namespace lockkeeper::monitor {

namespace {

// Longer prefixes, and names of more parts, are left out: each costs a look-up for each new lock.
constexpr qsizetype longestPrefix = 64;
constexpr int mostParts = 4;
constexpr qsizetype shortestWord = 2;  // of a prefix, without its separator: "a:a:b" may mean anything

bool isSeparator(char letter) {
    return letter == ':' || letter == '.' || letter == '/' || letter == '-' || letter == '_' || letter == '|';
}

// The beginnings of the name that end with a separator, without those that are the whole name.
QByteArrayList prefixesOf(const QByteArray& name) {
    QByteArrayList prefixes;
    const qsizetype end = std::min(name.size() - 1, longestPrefix);
    for (qsizetype i = 0; i < end && prefixes.size() < mostParts; ++i) {
        const bool isEnd = isSeparator(name[i]) && !isSeparator(name[i + 1]);
        if (isEnd && i >= shortestWord)
            prefixes += name.first(i + 1);
    }
    return prefixes;
}

}  // namespace

void TwinNames::note(const LockName& name) {
    const QByteArray& bytes = name.bytes();
    for (const QByteArray& prefix : prefixesOf(bytes)) {
        const LockName longer(prefix + bytes);
        if (m_known.knows(longer))
            join(name, longer, prefix);
        const QByteArray rest = bytes.mid(prefix.size());
        if (rest.startsWith(prefix) && rest.size() > prefix.size() && m_known.knows(LockName(rest)))
            join(LockName(rest), name, prefix);
    }
}

// Of several twins the one that was found first counts.
void TwinNames::join(const LockName& shorter, const LockName& longer, const QByteArray& prefix) {
    if (m_twins.contains(shorter) || m_twins.contains(longer))
        return;
    m_twins.insert(shorter, Twin{longer, prefix});
    m_twins.insert(longer, Twin{shorter, prefix});
}

void TwinNames::forget(const LockName& name) {
    if (const std::optional<Twin> twin = of(name)) {
        m_twins.remove(twin->other);
        m_twins.remove(name);
    }
}

std::optional<TwinNames::Twin> TwinNames::of(const LockName& name) const {
    const auto twin = m_twins.constFind(name);
    return twin == m_twins.cend() ? std::nullopt : std::optional(*twin);
}

}  // namespace lockkeeper::monitor
