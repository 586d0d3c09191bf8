-- SPDX-License-Identifier: Apache-2.0
-- Takes a fair lock if it is free and no other holder is before this one in the queue, or if this holder holds it
-- already. Otherwise queues.
-- ARGV[2] lease in ms   ARGV[3] holder   ARGV[4] time in ms that a place at the head of the queue is kept; empty: do
-- not queue
-- Answers nil if taken; the PTTL of the lock if it is held; a list with the holder's place in the queue (0: not queued)
-- if the lock is free and others are before this holder.
local lease, holder, wait = ARGV[2], ARGV[3], tonumber(ARGV[4])
drop_dead_heads()
local first = head()

local function leave_queue()
    if first then
        redis.call('lpop', queue)
    end
    redis.call('zrem', deadlines, holder)
    if redis.call('exists', queue) == 0 then
        redis.call('del', deadlines) -- the queue was deleted by a third party, so the remaining deadlines belong to
                                     -- nobody
    elseif wait then
        move_up(redis.call('lrange', queue, 0, -1), wait)
    end
end

local my_turn = redis.call('exists', lock) == 0 and (not first or first == holder)
if my_turn then
    redis.call('zscore', deadlines, holder) -- a key of another type makes the script fail here, before there is a hold
end
if my_turn or redis.call('hexists', lock, holder) == 1 then
    local refused = add_hold(lock, holder, lease, my_turn and 'hset' or 'hincrby')
    if my_turn and not refused then
        leave_queue()
    end
    return refused
end

local ttl = redis.call('pttl', lock)
local place = wait and place_of(holder)
if wait and not place then
    local last = redis.call('lindex', queue, -1)
    local before = last and redis.call('zscore', deadlines, last)
    local start = tonumber(before or now + math.max(ttl, 0))
    -- Behind a deadline that has passed, this one would have passed, too, and a Redisson client drops such a waiter.
    redis.call('zadd', deadlines, math.max(start, now) + wait, holder)
    place = redis.call('rpush', queue, holder)
end
if ttl ~= -2 then
    return ttl
end

return { place or 0 }
