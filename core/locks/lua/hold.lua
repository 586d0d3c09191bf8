-- What the scripts that take a lock begin with: this file stands before each of them.

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

