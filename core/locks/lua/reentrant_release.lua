-- SPDX-License-Identifier: Apache-2.0
-- Releases one hold; the last one frees the lock and wakes a waiter of each client.
-- KEYS[1] lock   ARGV[1] unlock channel (empty: the kind has no messages)   ARGV[2] message   ARGV[3] lease in ms
-- ARGV[4] holder
-- Answers nil if the holder does not hold it, 0 if holds remain, 1 if the lock is free, text if it is free and the
-- message was refused.
local lock, channel = KEYS[1], ARGV[1]
local message, lease, holder = ARGV[2], ARGV[3], ARGV[4]
local left = give_back_one(lock, holder, lease)
if left ~= 1 then
    return left
end
redis.call('del', lock)
if channel ~= '' then
    publish(channel, message)
end
return announced(1)
