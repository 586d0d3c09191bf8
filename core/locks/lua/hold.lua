-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts that count the holds of one holder: this file is put before each of them.

-- The error if the reply is one, else nil. Of the replies of redis.pcall that are used here, only errors are tables.
local function refusal(reply)
    return type(reply) == 'table' and reply or nil
end

-- The last thing that a script does with the key of a lock that stays held. A server forgets with each write who has read the key before, so
-- only a read after it makes the server report the next change to a client that tracks it (core/locks/protocol.md,
-- "Facts about the server").
local function track(lock)
    redis.call('exists', lock)
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
    track(lock)
    return 0
end

-- After a lost answer: reduces a field's count to the count that its client believes, unless that is 0: then the caller
-- frees the lock. Reads before it writes and changes only this field, so it may safely be repeated.
-- Answers the count after that, nil if the lock is to be freed.
local function settle_down(lock, field, believed)
    local count = tonumber(redis.call('hget', lock, field) or '0')
    if count <= believed then
        return count
    end
    if believed == 0 then
        return nil
    end
    redis.call('hset', lock, field, believed)
    return believed
end

