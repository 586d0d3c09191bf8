// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/groups/lockgroup.h"

#include "monitor/model/internallock.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/words/locktext.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestPrefix = 80;  // bytes of the name that are searched
constexpr char prefixEnds[] = ":/{.#";

struct GroupWords {
    Q_DECLARE_TR_FUNCTIONS(GroupWords)
};

// Converts letter by letter, as QString compares without case: the group's filter then shows as many locks as were
// counted.
QString foldedCase(QString text) {
    for (QChar& letter : text)
        letter = letter.toCaseFolded();
    return text;
}

// For names that begin with plain characters, as nearly all do: needs no conversion of the name. 0: there is no such
// prefix.
qsizetype lengthOfPlainPrefix(const QByteArray& name) {
    const qsizetype end = std::min(name.size(), longestPrefix);
    for (qsizetype i = 0; i < end; ++i) {
        if (name[i] < ' ' || name[i] > '~' || name[i] == '\\')
            return 0;
        if (i > 0 && std::string_view(prefixEnds).find(name[i]) != std::string_view::npos)
            return i + 1;
    }
    return 0;
}

GroupKey prefixKeyOf(const LockName& name) {
    if (const std::optional<monitor::InternalLock> internal = monitor::InternalLock::parse(name))
        return {GroupKey::Kind::Internal, internal->object.bytes()};
    if (const qsizetype plain = lengthOfPlainPrefix(name.bytes()); plain > 0)
        return {GroupKey::Kind::Prefix, name.bytes().left(plain).toLower()};
    const QString prefix = prefixOf(name);
    return prefix.isEmpty() ? GroupKey() : GroupKey{GroupKey::Kind::Prefix, foldedCase(prefix).toUtf8()};
}

GroupKey clientKeyOf(const monitor::LockSnapshot& lock) {
    if (!lock.isHeld())
        return {GroupKey::Kind::Free, {}};
    const ClientId first = lock.holders.front().id.client();
    const bool isOne = std::ranges::all_of(
        lock.holders, [&first](const monitor::Holder& holder) { return holder.id.client() == first; });
    return isOne ? GroupKey{GroupKey::Kind::Client, first.bytes()} : GroupKey{GroupKey::Kind::SeveralClients, {}};
}

QString counted(int count, const QString& text) {
    return count > 0 ? text.arg(numberText(count)) : QString();
}

}  // namespace

size_t qHash(const GroupKey& key, size_t seed) noexcept {
    return qHashMulti(seed, static_cast<int>(key.kind), key.text);
}

void LockGroup::add(const monitor::LockRow& row) {
    ++locks;
    held += row.lock.isHeld() ? 1 : 0;
    contended += row.lock.isWaitedFor() ? 1 : 0;
    faulty += monitor::hasFault(row.diagnoses) ? 1 : 0;
    waiters += waitersAtLeast(row.lock).value_or(0);
}

QString prefixOf(const LockName& name) {
    const QString text = plainName(headOf(name, longestPrefix));
    const auto isEnd = [](QChar c) { return QLatin1String(prefixEnds).contains(c); };
    const auto end = std::find_if(text.begin() + std::min<qsizetype>(text.size(), 1), text.end(), isEnd);
    return end == text.end() ? QString() : text.left(end - text.begin() + 1);
}

bool hasGroupKey(const monitor::LockRow& row, const GroupKey& key) {
    const QByteArray& name = row.lock.name.bytes();
    if (key.kind == GroupKey::Kind::Internal)
        return prefixKeyOf(row.lock.name) == key;
    if (key.kind == GroupKey::Kind::Prefix)
        return !monitor::InternalLock::parse(row.lock.name) && name.startsWith(key.text) &&
               lengthOfPlainPrefix(key.text) == key.text.size();
    return clientKeyOf(row.lock) == key;
}

GroupKey groupKeyOf(const monitor::LockRow& row, GroupBy by) {
    return by == GroupBy::Client ? clientKeyOf(row.lock) : prefixKeyOf(row.lock.name);
}

QString groupTitle(const LockGroup& group, const HolderAliases& aliases) {
    switch (group.key.kind) {
        case GroupKey::Kind::Prefix:
            return group.prefix;
        case GroupKey::Kind::Internal:
            return GroupWords::tr("(Redisson's own, of %1)").arg(plainName(LockName(group.key.text), shortName));
        case GroupKey::Kind::NoPrefix:
            return GroupWords::tr("(names without a prefix)");
        case GroupKey::Kind::Client:
            return aliases.fullDisplay(ClientId(group.key.text));
        case GroupKey::Kind::SeveralClients:
            return GroupWords::tr("(held by several clients)");
        case GroupKey::Kind::Free:
            return GroupWords::tr("(free)");
    }
    return {};
}

QString groupCounts(const LockGroup& group) {
    return listText(
        {counted(group.held, GroupWords::tr("%1 held")), counted(group.contended, GroupWords::tr("%1 contended"))});
}

QString filterOf(const LockGroup& group) {
    if (group.key.kind == GroupKey::Kind::Client)
        return filterTerm(QLatin1String("holder"), QString::fromLatin1(group.key.text));
    if (group.key.kind == GroupKey::Kind::Internal) {
        const QString name = filterTerm(QLatin1String("name"), plainName(LockName(group.key.text)));
        return name.isEmpty() ? name : QStringLiteral("internal:yes ") + name;
    }
    return filterTerm(QLatin1String("prefix"), group.prefix);
}

}  // namespace lockkeeper::ui
