-- SPDX-License-Identifier: Apache-2.0
-- Takes a read lock: beside other readers, or under a write lock of the same holder.
-- ARGV[2] lease in ms   ARGV[3] reader   ARGV[4] the field that this holder's write lock would have
-- Answers nil if taken, else the remaining ms of the lock's TTL (-1: no expiry).
local lease, reader, writer = tonumber(ARGV[2]), ARGV[3], ARGV[4]
local mode = redis.call('hget', lock, 'mode')
local free = redis.call('exists', lock) == 0
local shared = mode == 'read' or (mode == 'write' and redis.call('hexists', lock, writer) == 1)
if not free and not shared then
    return redis.call('pttl', lock)
end
local hold = (tonumber(redis.call('hget', lock, reader)) or 0) + 1
-- Written before the hold: if the server refuses the lease, nothing has been written.
redis.call('set', timeout_key(reader, hold), '1', 'px', lease)
local refused = free and refusal(redis.pcall('hset', lock, 'mode', 'read')) or nil
refused = refused or add_hold(lock, reader, math.max(lease, redis.call('pttl', lock)), free and 'hset' or 'hincrby')
if refused then
    redis.call('del', timeout_key(reader, hold))
end
if refused and free then
    redis.call('del', lock)
end
return refused
