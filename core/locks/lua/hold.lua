-- What scripts begin with that count the holds of one holder: this file stands before each of them.

-- Nil for an answer, the error for an error: of what redis.pcall answers only errors are tables here.
local function refusal(reply)
    return type(reply) == 'table' and reply or nil
end

-- Adds one to the holds that a field of the lock counts, and sets the lock's TTL. Where the server refuses the expiry, as
-- to a user without the right to it, or beyond the end of its clock, the hold is taken back: a lock without an expiry
-- would stay for ever.
-- command: 'hincrby', or 'hset' for a first hold, where a Redisson client does so: they differ in the events they make.
-- Answers nil, or the refusal; what the caller has written before is then the caller's to undo.
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

-- Gives one of a field's holds back where others remain, with the TTL set to the lease again. The last one is left to the
-- caller, who frees the lock; without counting down first: a server that is out of memory refuses hincrby, but not del.
-- Answers nil when there is none, 0 when holds remain, 1 when it is the last.
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
    return 0
end

-- After a lost answer: brings a field's count down to what its client believes, unless that is nothing: then the caller
-- frees the lock. Looks before it acts and touches only this field, so running it again does no harm.
-- Answers the count that there is now, nil when the lock is to be freed.
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

