-- Takes a fair lock when it is free and nobody is before this holder, or takes it once more; else queues up.
-- ARGV[1] lease in ms   ARGV[2] holder   ARGV[3] ms that a place at the head of the queue is kept; empty: does not queue
-- Answers nil when taken, else in how many ms it is worth looking again (-1: only a message tells).
local lease, holder, wait = ARGV[1], ARGV[2], tonumber(ARGV[3])
drop_dead_heads()
local first = head()

local function leave_queue()
    if first then
        redis.call('lpop', queue)
    end
    redis.call('zrem', deadlines, holder)
    if redis.call('exists', queue) == 0 then
        redis.call('del', deadlines) -- whoever is left there lost its place when somebody deleted the queue
    elseif wait then
        move_up(redis.call('lrange', queue, 0, -1), wait)
    end
end

local my_turn = redis.call('exists', lock) == 0 and (not first or first == holder)
if my_turn or redis.call('hexists', lock, holder) == 1 then
    local refused = add_hold(lock, holder, lease)
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
    redis.call('zadd', deadlines, start + wait, holder)
    place = redis.call('rpush', queue, holder)
end
if ttl ~= -2 then
    return ttl
end

-- Free, but others are before us. A Redisson client that gives up its place tells nobody: the next in line looks once a
-- second, the others when the head's time is over.
local deadline = tonumber(redis.call('zscore', deadlines, head()) or now + 1000)
local until_dropped = math.max(deadline - now, 1)
if place == 2 then
    return math.min(until_dropped, 1000)
end
return until_dropped
