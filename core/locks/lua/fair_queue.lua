-- What all scripts of the fair lock begin with: this file stands before each of them.
-- KEYS[1] lock   KEYS[2] queue, the first in front   KEYS[3] deadlines of those in the queue, epoch ms
-- KEYS[4] unlock channel; a waiter's own is that, a colon, and the waiter
-- The server's clock counts: a client whose own is wrong, or jumps, must not push others out of the queue.
local lock, queue, deadlines, channel = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function head()
    return redis.call('lindex', queue, 0)
end

-- Heads whose deadline has passed died, or had enough without saying so.
local function drop_dead_heads()
    local first = head()
    while first do
        local deadline = redis.call('zscore', deadlines, first)
        if not deadline or tonumber(deadline) > now then
            return
        end
        redis.call('zrem', deadlines, first)
        redis.call('lpop', queue)
        first = head()
    end
end

local function wake_head()
    local first = head()
    if first then
        redis.call('publish', channel .. ':' .. first, '0')
    end
end

-- These deadlines were reckoned with somebody's wait who does not wait any more.
local function move_up(waiters, wait)
    for _, waiter in ipairs(waiters) do
        if redis.call('zscore', deadlines, waiter) then
            redis.call('zincrby', deadlines, -wait, waiter)
        end
    end
end

-- Its place among those who wait, from 1; nil when it does not wait.
local function place_of(waiter)
    for place, other in ipairs(redis.call('lrange', queue, 0, -1)) do
        if other == waiter then
            return place
        end
    end
    return nil
end

