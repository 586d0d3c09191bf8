// SPDX-License-Identifier: Apache-2.0
#include "ui/words/shorttext.h"

#include "ui/words/timetext.h"

#include <QCoreApplication>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

struct ShortText {
    Q_DECLARE_TR_FUNCTIONS(ShortText)
};

}  // namespace

QString shortStateText(LockState state) {
    return state == LockState::WaitedFor ? ShortText::tr("Waited for", "the state of a free lock, in a narrow column")
                                         : stateText(state);
}

QString shortHolderText(const HolderId& holder, const HolderAliases& aliases) {
    constexpr qsizetype telling = 8;  // characters of a UUID
    const QString shown = aliases.display(holder);
    return shown == holder.display() ? shown.first(std::min(telling, shown.size())) + shown.mid(shown.lastIndexOf(u':'))
                                     : shown;
}

QString shortHoldersText(const monitor::LockSnapshot& lock, const HolderAliases& aliases) {
    if (lock.holders.isEmpty())
        return {};
    if (lock.holderCount() > 1)
        return ShortText::tr("%Ln holder(s)", nullptr, static_cast<int>(lock.holderCount()));
    return shortHolderText(lock.holders.front().id, aliases);
}

QString shortCountText(Milliseconds duration) {
    if (duration < 1min)
        return countText(duration);
    if (duration < 1h)
        return ShortText::tr("%1 min").arg(duration / 1min);
    if (duration < 24h)
        return ShortText::tr("%1 h").arg(duration / 1h);
    return ShortText::tr("%1 d").arg(duration / 24h);
}

QString shortHeldForText(const monitor::LockRow& row, Milliseconds heldFor) {
    if (!row.lock.isHeld())
        return {};
    const QString time = shortCountText(heldFor);
    return row.hold.isBeginSeen() ? time : ShortText::tr(">%1", "held for longer than this time").arg(time);
}

}  // namespace lockkeeper::ui
