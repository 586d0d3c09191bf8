-- SPDX-License-Identifier: Apache-2.0
-- Takes a reentrant lock if it is free or held by this holder already.
-- KEYS[1] lock   ARGV[1] lease in ms   ARGV[2] holder "UUID:THREAD"
-- Answers nil if taken, else the remaining ms of the lease (-1: no expiry).
local lock, lease, holder = KEYS[1], ARGV[1], ARGV[2]
if redis.call('exists', lock) == 0 or redis.call('hexists', lock, holder) == 1 then
    return add_hold(lock, holder, lease, 'hincrby')
end
return redis.call('pttl', lock)
