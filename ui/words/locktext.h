// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"
#include "monitor/model/lockrow.h"
#include "ui/words/holderaliases.h"
#include "ui/words/tone.h"
#include "ui/words/utctext.h"

#include <QString>
#include <QStringList>

namespace lockkeeper::ui {

// The state that a row shows. WaitedFor: free, but somebody waits for it.
enum class LockState { Free, WaitedFor, Held, Own, NeverExpires };
enum class Ownership { Others, Own };
// What this console knows of the lease of a lock that it holds. None: it does not hold the lock.
enum class OwnLease { None, Renewed, Fixed, Quarantine };

// Clients that are subscribed and are not monitors, or in a fair lock's queue; nothing if not known.
[[nodiscard]] std::optional<qint64> waitersAtLeast(const monitor::LockSnapshot& lock);
// Free, and nobody waits for it.
[[nodiscard]] bool isIdle(const monitor::LockSnapshot& lock);
[[nodiscard]] LockState lockState(const monitor::LockSnapshot& lock, Ownership ownership);
[[nodiscard]] QString stateText(LockState state);
// The file in resources/icons whose shape says the same.
[[nodiscard]] QString stateIcon(LockState state);
// The tone of the state's icon, while the lock is live.
[[nodiscard]] Tone stateTone(LockState state);

[[nodiscard]] QString kindText(monitor::LockKind kind);
// In place of the kind.
[[nodiscard]] QString otherProgramText();
// As kindText() of its kind, or that another program holds it.
[[nodiscard]] QString kindTextOf(const monitor::LockSnapshot& lock);
// Which object of Redisson it is for, if Redisson takes it for one of its own; else empty.
[[nodiscard]] QString internalText(const LockName& name);
// What the keys prove about the kind, and what they leave open.
[[nodiscard]] QString kindExplanation(const monitor::LockSnapshot& lock);
[[nodiscard]] QString modeText(monitor::HoldMode mode);
// Also names the transaction, if a transaction holds the lock.
[[nodiscard]] QString modeText(const monitor::Holder& holder);

// One line: the holder, or how many there are.
[[nodiscard]] QString holdersText(const monitor::LockSnapshot& lock, const HolderAliases& aliases = HolderAliases());
// All counts together; a read/write lock may have many. Of holders that were not read at least 1 each.
[[nodiscard]] qint64 totalCount(const monitor::LockSnapshot& lock);
// Says so if it is only the least; empty if the lock is free.
[[nodiscard]] QString totalCountText(const monitor::LockSnapshot& lock);
// The length of a fair lock's queue, of which a read brings only the first ones.
// "3", or "up to 3" where other monitors may be among them; empty if not known.
[[nodiscard]] QString waitersText(const monitor::LockSnapshot& lock);
[[nodiscard]] qint64 queueLength(const monitor::LockSnapshot& lock);
// "14:02:11", or "before 14:02:11" when it was held before the first read.
[[nodiscard]] QString heldSinceText(const monitor::LockRow& row, WallTime now);
// "3 min 12 s", or "over 3 min 12 s" if the begin of the hold was not seen. Empty when free.
[[nodiscard]] QString heldForText(const monitor::LockRow& row, Milliseconds heldFor);
// Since when the same holder was seen before a time that was not watched; empty if it was not.
[[nodiscard]] QString seenBeforeText(const monitor::Hold& hold, const WriteTime& clock);

// The address of the lock's node; empty without a Cluster.
[[nodiscard]] QString nodeText(const monitor::LockSnapshot& lock);
// The channel that a release of this lock is published on (core/locks/protocol.md, "Names").
[[nodiscard]] QString channelText(const monitor::LockSnapshot& lock);

// A count of things in the reader's way of writing numbers: "2,000".
[[nodiscard]] QString numberText(qint64 number);
// A name as it is shown where there is room for `length` characters: the middle of a longer one is left out. A name may
// have megabytes; the cost depends on `length` alone, so it may be called at each paint.
constexpr qsizetype longestName = 400;
constexpr qsizetype shortName = 48;
[[nodiscard]] QString plainName(const LockName& name, qsizetype length = longestName);
// All of it, for the clipboard.
[[nodiscard]] QString fullName(const LockName& name);
// Its first bytes, at most so many, cut between characters.
[[nodiscard]] LockName headOf(const LockName& name, qsizetype bytes);
// Names, numbers or parts of a text after each other, "a, b"; empty ones are left out.
[[nodiscard]] QString listText(QStringList parts);
// Whole sentences after each other; empty ones are left out.
[[nodiscard]] QString sentencesText(QStringList sentences);
// For a title, a button or a sentence: at most `length` characters, the middle left out.
[[nodiscard]] QString shortened(const QString& text, qsizetype length = shortName);
// In a button or a menu a single & would become an underline.
[[nodiscard]] QString withoutMnemonic(QString text);

}  // namespace lockkeeper::ui
