-- SPDX-License-Identifier: Apache-2.0
-- Removes a waiter that gives up from the queue. The deadlines of those behind it become earlier by its wait.
-- Unlike Redisson's script, it wakes the new head if the lock is free: otherwise that waiter would go on sleeping.
-- ARGV[2] holder   ARGV[3] ms that its place was to be kept
-- Answers 1 if it was in the queue, else 0.
local holder, wait = ARGV[2], tonumber(ARGV[3])
local place = place_of(holder)
if not place then
    redis.call('zrem', deadlines, holder)
    return 0
end
move_up(redis.call('lrange', queue, place, -1), wait)
redis.call('zrem', deadlines, holder)
redis.call('lrem', queue, 0, holder)
if place == 1 and redis.call('exists', lock) == 0 then
    drop_dead_heads()
    wake_head()
end
return 1
