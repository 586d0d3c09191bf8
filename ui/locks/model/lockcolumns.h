// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/locktablemodel.h"
#include "ui/words/programnames.h"

#include <QStringList>

namespace lockkeeper::ui {

// Characters of a name that the filter searches: half of them at its beginning, half at its end.
inline constexpr qsizetype longestSearchedName = 4000;

[[nodiscard]] QString columnTitle(LockTableModel::Column column);
// What the column shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(LockTableModel::Column column);
[[nodiscard]] bool isCentred(LockTableModel::Column column);
// While the connection is lost: "Held (old)".
[[nodiscard]] QString oldStateText(LockState state);
// The state of a lock that its node does not read at present.
[[nodiscard]] QString unreadStateText(LockState state);
// "12 (3.4 s ago)"
[[nodiscard]] QString renewalsText(quint32 renewals, Milliseconds age);
// What the user sees in place of ids and keys; outlives its use.
struct ShownNames {
    const HolderAliases& aliases;
    const ProgramNames& locks;
};
// What the filter searches in a row: each text in a line of its own, and of a lock that its program
// names in another way both names. All: everything but the node.
[[nodiscard]] QString searchedText(const monitor::LockRow& row, SearchedPart part, Ownership ownership,
                                   const ShownNames& shown);
// All texts that this part of a row can have; none where there is no end of them.
[[nodiscard]] QStringList knownTexts(SearchedPart part);
// The longest usual texts of its cells, to measure the room that the column needs. None where the title is longer.
[[nodiscard]] QStringList longestTexts(LockTableModel::Column column);
// What a narrow cell must have room for at least: LockTableModel::ShortRole at its longest. None where it has no short
// text.
[[nodiscard]] QStringList shortTexts(LockTableModel::Column column);
// A text as long as most diagnoses that are alone in a cell.
[[nodiscard]] QString usualDiagnosis();

}  // namespace lockkeeper::ui
