-- What all scripts of the read/write lock begin with: this file stands before each of them.
-- KEYS[1] lock   KEYS[2] unlock channel   ARGV[1] what the names of readers' timeout keys begin with: "{NAME}:"
local lock, channel, base = KEYS[1], KEYS[2], ARGV[1]
local wake_one, wake_all = '0', '1'

local function timeout_key(reader, hold)
    return base .. reader .. ':rwlock_timeout:' .. hold
end

-- Bounded: a count that somebody wrote by hand must not keep the server busy for ever.
local function holds_of(count)
    return math.min(tonumber(count) or 0, 10000)
end

-- Calls with each reader and its number of holds. A writer has a field too, but no timeout keys.
local function for_each_reader(call_with)
    local fields = redis.call('hgetall', lock)
    for i = 1, #fields, 2 do
        if fields[i] ~= 'mode' and fields[i]:sub(-6) ~= ':write' then
            call_with(fields[i], holds_of(fields[i + 1]))
        end
    end
end

-- The ms that the longest-lived of a reader's holds has left; 0 when none lives. In its last ms a key has 0 left and
-- lives.
local function left_of_reader(reader, holds)
    local longest = 0
    for hold = 1, holds do
        local left = redis.call('pttl', timeout_key(reader, hold))
        if left >= 0 then
            longest = math.max(longest, left, 1)
        end
    end
    return longest
end

-- The same of all readers.
local function longest_read()
    local longest = 0
    for_each_reader(function(reader, holds)
        longest = math.max(longest, left_of_reader(reader, holds))
    end)
    return longest
end

-- A reader has left: without a writer the lock lives as long as the longest of its readers, and is free without any
-- whose lease still runs.
local function after_a_reader_left()
    if redis.call('hget', lock, 'mode') == 'write' then
        return
    end
    local longest = longest_read()
    if longest > 0 then
        redis.call('pexpire', lock, longest)
        return
    end
    redis.call('del', lock)
    redis.call('publish', channel, wake_one)
end

-- The last hold of a writer is given back: the lock is free, or turns into that of the readings it has beside.
-- Redisson publishes nothing when it turns: readers that wait would sleep out the TTL they were told. We wake them.
local function writer_leaves(field)
    if redis.call('hlen', lock) > 2 then
        redis.call('hset', lock, 'mode', 'read')
        redis.call('hdel', lock, field)
    else
        redis.call('del', lock)
    end
    redis.call('publish', channel, wake_all)
end

