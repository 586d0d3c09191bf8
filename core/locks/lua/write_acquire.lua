-- Takes a write lock, or takes it once more, which adds the lease to the TTL.
-- ARGV[2] lease in ms   ARGV[3] field of the writer, "UUID:THREAD:write"
-- Answers nil when taken, else the ms that the lock's TTL has left (-1: no expiry).
local lease, writer = tonumber(ARGV[2]), ARGV[3]
if redis.call('exists', lock) == 0 then
    redis.call('hset', lock, 'mode', 'write', writer, 1)
    redis.call('pexpire', lock, lease)
    return nil
end
if redis.call('hget', lock, 'mode') == 'write' and redis.call('hexists', lock, writer) == 1 then
    redis.call('hincrby', lock, writer, 1)
    redis.call('pexpire', lock, lease + math.max(redis.call('pttl', lock), 0))
    return nil
end
return redis.call('pttl', lock)
