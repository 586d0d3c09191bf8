// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"

#include <QString>

namespace lockkeeper::ui {

class HolderAliases;

enum class GroupBy { None, Prefix, Client };

// What the locks of a group have in common. A lock is in one group only.
struct GroupKey {
    enum class Kind { Prefix, NoPrefix, Internal, Client, SeveralClients, Free };
    Kind kind = Kind::NoPrefix;
    QByteArray text;  // a prefix, in lower case; the object of Redisson's own locks; or the UUID of a client

    friend bool operator==(const GroupKey&, const GroupKey&) = default;
};

[[nodiscard]] size_t qHash(const GroupKey& key, size_t seed = 0) noexcept;

// The locks of a group, counted.
struct LockGroup {
    GroupKey key;
    QString prefix;  // as the first of its locks writes it
    int locks = 0;
    int held = 0;
    int contended = 0;
    int faulty = 0;      // with a diagnosis that is more than information
    qint64 waiters = 0;  // those that are known

    void add(const monitor::LockRow& row);

    friend bool operator==(const LockGroup&, const LockGroup&) = default;
};

// The name up to and including the first of : / { . # after its first character, as the name is shown; empty if none
// of them is in its first 80 bytes.
[[nodiscard]] QString prefixOf(const LockName& name);
// Whether `key` is the key of the row's group, found without making one. May be false although it is.
[[nodiscard]] bool hasGroupKey(const monitor::LockRow& row, const GroupKey& key);
[[nodiscard]] GroupKey groupKeyOf(const monitor::LockRow& row, GroupBy by);
[[nodiscard]] QString groupTitle(const LockGroup& group, const HolderAliases& aliases);
// "3 held, 1 contended"
[[nodiscard]] QString groupCounts(const LockGroup& group);
// What shows the group in the table, see LockFilter; empty if no filter can.
[[nodiscard]] QString filterOf(const LockGroup& group);

}  // namespace lockkeeper::ui
