-- SPDX-License-Identifier: Apache-2.0
-- Put before the scripts that take a hold. Each of these common parts is a file of its own, because a server creates
-- all functions of a script again with each call.

-- The error if the reply is one, else nil. Of the replies of redis.pcall that are used here, only errors are tables.
local function refusal(reply)
    return type(reply) == 'table' and reply or nil
end

-- Adds one to the holds that a field of the lock counts, and sets the lock's TTL. If the server refuses the expiry (no
-- right to it, or beyond the end of its clock), the hold is removed again: a lock without an expiry would stay for
-- ever.
-- command: 'hincrby', or 'hset' for a first hold where Redisson uses it: they cause different keyspace events.
-- Answers nil, or the error; the caller must then undo what it has written before.
local function add_hold(lock, field, ttl, command)
    local count = redis.pcall(command, lock, field, 1)
    if refusal(count) then
        return count
    end
    local refused = refusal(redis.pcall('pexpire', lock, ttl))
    if not refused then
        return nil
    end
    if count > 1 then
        redis.call('hincrby', lock, field, -1)
    else
        redis.call('hdel', lock, field)
    end
    return refused
end
