-- SPDX-License-Identifier: Apache-2.0
-- Takes a fenced lock if it is free or held by this holder already; each time with a new token.
-- KEYS[1] lock   KEYS[2] last token   ARGV[1] lease in ms   ARGV[2] holder
-- Answers a list with the token if taken, else the remaining ms of the lease (-1: no expiry).
local lock, tokens, lease, holder = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if redis.call('exists', lock) == 0 or redis.call('hexists', lock, holder) == 1 then
    local token = redis.call('incr', tokens)
    return add_hold(lock, holder, lease, 'hincrby') or { token }
end
return redis.call('pttl', lock)
