-- A waiter that gives up leaves the queue, and those behind it move up by its wait.
-- Unlike Redisson's, it wakes the new head when the lock is free: it would sleep beside it otherwise.
-- ARGV[1] holder   ARGV[2] ms that its place was to be kept
-- Answers 1 when it was in the queue, else 0.
local holder, wait = ARGV[1], tonumber(ARGV[2])
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
