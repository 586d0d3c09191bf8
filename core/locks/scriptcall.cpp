#include "locks/scriptcall.h"

#include "locks/lockkeys.h"

namespace lockkeeper::locks {

ScriptCall renewalOf(const std::vector<HoldKey>& holds, Milliseconds lease) {
    static const redis::Script renew = redis::Script::embedded(QStringLiteral("locks/lua/renew.lua"));
    QByteArrayList names;
    QByteArrayList arguments{QByteArray::number(lease.count())};
    for (const HoldKey& hold : holds) {
        names += hold.name.bytes();
        arguments += hold.field();
        arguments += hold.mode == HoldMode::Exclusive ? QByteArray() : LockKeys(hold.name).readTimeoutBase();
    }
    return {renew, std::move(names), std::move(arguments)};
}

}  // namespace lockkeeper::locks
