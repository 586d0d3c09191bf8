-- SPDX-License-Identifier: Apache-2.0
-- Releases one hold; the last one frees the lock and wakes a waiter of each client.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: the kind has no messages)   ARGV[1] message   ARGV[2] lease in ms
-- ARGV[3] holder
-- Answers nil if the holder does not hold it, 0 if holds remain, 1 if the lock is free.
local lock, channel = KEYS[1], KEYS[2]
local message, lease, holder = ARGV[1], ARGV[2], ARGV[3]
local left = give_back_one(lock, holder, lease)
if left ~= 1 then
    return left
end
redis.call('del', lock)
if channel then
    publish(channel, message)
end
return 1
