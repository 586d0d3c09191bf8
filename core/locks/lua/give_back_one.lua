-- SPDX-License-Identifier: Apache-2.0
-- Put before the scripts that release a hold.

-- Releases one of a field's holds if others remain, and sets the TTL to the lease. If it is the last, only answers 1,
-- and the caller deletes the lock without counting down first: a server that is out of memory refuses hincrby, but not
-- del.
-- Answers nil if there is none, 0 if holds remain, 1 if it is the last.
local function give_back_one(lock, field, lease)
    local count = redis.call('hget', lock, field)
    if not count then
        return nil
    end
    if tonumber(count) <= 1 then
        return 1
    end
    redis.call('hincrby', lock, field, -1)
    redis.call('pexpire', lock, lease)
    -- A server forgets with each write who has read the key before, so only a read after the last write makes it report
    -- the next change to a client that tracks the key (core/locks/protocol.md, "Facts about the server").
    redis.call('exists', lock)
    return 0
end
