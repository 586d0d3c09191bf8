-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts of the fair lock: this file is put before each of them.
-- KEYS[1] lock   KEYS[2] queue, its head first   KEYS[3] deadlines of the waiters, in epoch ms
-- ARGV[1] unlock channel; a waiter's own channel is that, a colon, and the waiter
-- Uses the server's clock: a client with a wrong clock must not remove others from the queue.

local lock, queue, deadlines, channel = KEYS[1], KEYS[2], KEYS[3], ARGV[1]
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function head()
    return redis.call('lindex', queue, 0)
end

-- Redisson writes a deadline by the clock of its own machine, which may be wrong by this many ms: its waiter may live
-- although the deadline has passed by the server's clock.
local wrong_clock = 10000

-- A waiter at the head whose deadline has passed has died, or has stopped waiting without leaving the queue.
local function drop_dead_heads()
    local first = head()
    while first do
        local deadline = redis.call('zscore', deadlines, first)
        if not deadline or tonumber(deadline) + wrong_clock > now then
            return
        end
        redis.call('zrem', deadlines, first)
        redis.call('lpop', queue)
        first = head()
    end
end

-- Wakes the head. If its deadline has passed, it may be dead, and the next one is woken, too: it tries again by its
-- place instead of sleeping until the TTL that it has read.
local function wake_head()
    local place, may_be_dead = 0, true
    while may_be_dead do
        local waiter = redis.call('lindex', queue, place)
        if not waiter then
            return
        end
        publish(channel .. ':' .. waiter, '0')
        local deadline = redis.call('zscore', deadlines, waiter)
        may_be_dead = deadline and tonumber(deadline) <= now
        place = place + 1
    end
end

-- The deadlines of waiters include the waits of those before them. One of those has left, so subtract its wait.
local function move_up(waiters, wait)
    for _, waiter in ipairs(waiters) do
        if redis.call('zscore', deadlines, waiter) then
            redis.call('zincrby', deadlines, -wait, waiter)
        end
    end
end

-- The waiter's place in the queue, from 1; nil if it is not in the queue.
local function place_of(waiter)
    for place, other in ipairs(redis.call('lrange', queue, 0, -1)) do
        if other == waiter then
            return place
        end
    end
    return nil
end

