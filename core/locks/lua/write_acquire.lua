-- Takes a write lock, or takes it once more, which adds the lease to the TTL.
-- ARGV[2] lease in ms   ARGV[3] field of the writer, "UUID:THREAD:write"
-- Answers nil when taken, else the ms that the lock's TTL has left (-1: no expiry).
local lease, writer = tonumber(ARGV[2]), ARGV[3]
local free = redis.call('exists', lock) == 0
local mine = redis.call('hget', lock, 'mode') == 'write' and redis.call('hexists', lock, writer) == 1
local pttl = redis.call('pttl', lock)
if not free and not mine then
    return pttl
end
local ttl = lease + math.max(pttl, 0)
if free then
    redis.call('hset', lock, 'mode', 'write')
end
local refused = add_hold(lock, writer, ttl)
if refused and free then
    redis.call('del', lock)
end
return refused
