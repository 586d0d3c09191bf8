-- Takes a reentrant lock, or takes it once more.
-- KEYS[1] lock   ARGV[1] lease in ms   ARGV[2] holder "UUID:THREAD"
-- Answers nil when taken, else the ms that the present holder's lease has left (-1: no expiry).
local lock, lease, holder = KEYS[1], ARGV[1], ARGV[2]
if redis.call('exists', lock) == 0 or redis.call('hexists', lock, holder) == 1 then
    return add_hold(lock, holder, lease)
end
return redis.call('pttl', lock)
