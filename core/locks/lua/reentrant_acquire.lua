-- Takes a reentrant lock, or takes it once more.
-- KEYS[1] lock   ARGV[1] lease in ms   ARGV[2] holder "UUID:THREAD"
-- Answers nil when taken, else the ms that the present holder's lease has left (-1: no expiry).
local lock, lease, holder = KEYS[1], ARGV[1], ARGV[2]
local free = redis.call('exists', lock) == 0
if not free and redis.call('hexists', lock, holder) == 0 then
    return redis.call('pttl', lock)
end
redis.call('hincrby', lock, holder, 1)
local expiry = redis.pcall('pexpire', lock, lease)
if type(expiry) == 'table' then
    -- Refused, as to a user without the right to it: a lock without an expiry would stay for ever.
    if free then
        redis.call('del', lock)
    else
        redis.call('hincrby', lock, holder, -1)
    end
    return expiry
end
return nil
