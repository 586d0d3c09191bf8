// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/namemapper.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

// Names of locks as the program knows them that uses them: without what the NameMapper of its Java clients adds to make
// the key on the server. Names that no mapper can have made are shown as they are. A value.
class ProgramNames {
public:
    ProgramNames() = default;
    explicit ProgramNames(locks::NameMapper mapper) : m_mapper(std::move(mapper)) {}

    // plainName() of the program's name.
    [[nodiscard]] QString shown(const LockName& key, qsizetype length = longestName) const;
    // "Key on the server: app:orders"; empty if the name is the key itself.
    [[nodiscard]] QString keyNote(const LockName& key, qsizetype length = longestName) const;
    // shown(), with keyNote() in a second line.
    [[nodiscard]] QString withKey(const LockName& key) const;
    // Whether the program has another name for it than its key.
    [[nodiscard]] bool renames(const LockName& key) const;
    // The key of a name that somebody has typed, which may be the key already.
    [[nodiscard]] LockName keyOf(const LockName& name) const { return m_mapper.onServer(m_mapper.inProgram(name)); }

    friend bool operator==(const ProgramNames& a, const ProgramNames& b) {
        return a.m_mapper.prefix == b.m_mapper.prefix && a.m_mapper.suffix == b.m_mapper.suffix;
    }

private:
    locks::NameMapper m_mapper;
};

}  // namespace lockkeeper::ui
