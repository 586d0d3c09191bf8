-- What the scripts that take a lock begin with: this file stands before each of them.

-- Adds one to the holds that a field of the lock counts, and sets the lock's TTL. Where the server refuses the expiry, as
-- to a user without the right to it, or beyond the end of its clock, the hold is taken back: a lock without an expiry
-- would stay for ever.
-- Answers nil, or the refusal; what the caller has written before is then the caller's to undo.
local function add_hold(lock, field, ttl)
    local count = redis.pcall('hincrby', lock, field, 1)
    if type(count) == 'table' then
        return count
    end
    local expiry = redis.pcall('pexpire', lock, ttl)
    if type(expiry) ~= 'table' then
        return nil
    end
    if count > 1 then
        redis.call('hincrby', lock, field, -1)
    else
        redis.call('hdel', lock, field)
    end
    return expiry
end

