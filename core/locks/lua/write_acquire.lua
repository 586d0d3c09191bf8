-- SPDX-License-Identifier: Apache-2.0
-- Takes a write lock if it is free or held by this writer already; a reentry adds the lease to the TTL.
-- ARGV[2] lease in ms   ARGV[3] field of the writer, "UUID:THREAD:write"
-- Answers nil if taken, else the remaining ms of the lock's TTL (-1: no expiry).
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
local refused = add_hold(lock, writer, ttl, free and 'hset' or 'hincrby')
if refused and free then
    redis.call('del', lock)
end
return refused
