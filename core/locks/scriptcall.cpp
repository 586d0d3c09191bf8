// SPDX-License-Identifier: Apache-2.0
#include "locks/scriptcall.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease) {
    static const redis::Script renew = redis::Script::embedded(QStringLiteral("locks/lua/renew.lua"));
    redis::Arguments names;
    redis::Arguments arguments;
    arguments.add(lease.count());
    for (const HoldKey& hold : holds) {
        names.add(hold.name.bytes());
        arguments.add(hold.field());
        arguments.add(hold.mode == HoldMode::Exclusive ? QByteArray() : LockKeys(hold.name).readTimeoutBase());
    }
    return {renew, std::move(names), arguments};
}

}  // namespace lockkeeper::locks
