-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts of the read/write lock: this file is put before each of them.
-- KEYS[1] lock   KEYS[2] unlock channel   ARGV[1] prefix of the readers' timeout keys: "{NAME}:"
-- The timeout keys cannot be declared: their names are known only here. While the lock's slot moves, one that has not
-- come yet would count as expired. The channel is no key, so as a declared one it makes the server refuse the script
-- then (TRYAGAIN).
local lock, channel, base = KEYS[1], KEYS[2], ARGV[1]
local wake_one, wake_all = '0', '1'

local function timeout_key(reader, hold)
    return base .. reader .. ':rwlock_timeout:' .. hold
end

-- Bounded, so that a huge count written by hand cannot block the server.
local function holds_of(count)
    return math.min(tonumber(count) or 0, 10000)
end

-- Calls call_with for each reader, with its number of holds. A writer has a field too, but no timeout keys.
local function for_each_reader(call_with)
    local fields = redis.call('hgetall', lock)
    for i = 1, #fields, 2 do
        if fields[i] ~= 'mode' and fields[i]:sub(-6) ~= ':write' then
            call_with(fields[i], holds_of(fields[i + 1]))
        end
    end
end

-- The longest remaining ms of a reader's holds; 0 if all have expired. PTTL answers 0 in a key's last ms; that counts
-- as 1, because the key still exists.
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

-- The same for all readers.
local function longest_read()
    local longest = 0
    for_each_reader(function(reader, holds)
        longest = math.max(longest, left_of_reader(reader, holds))
    end)
    return longest
end

-- After a reader's release: if there is no writer, the lock lives as long as its longest reader, and is free if no
-- reader's lease is left.
local function after_a_reader_left()
    if redis.call('hget', lock, 'mode') == 'write' then
        return
    end
    local longest = longest_read()
    if longest > 0 then
        redis.call('pexpire', lock, longest)
        redis.call('exists', lock) -- see give_back_one.lua
        return
    end
    redis.call('del', lock)
    publish(channel, wake_one)
end

-- The last hold of a writer is released: the lock is free, or becomes a read lock if the writer also reads.
-- Redisson publishes nothing in the second case (core/locks/protocol.md), so waiting readers sleep for the TTL that
-- they were answered. This script wakes them.
local function writer_leaves(field)
    if redis.call('hlen', lock) > 2 then
        redis.call('hset', lock, 'mode', 'read')
        redis.call('hdel', lock, field)
        redis.call('exists', lock) -- see give_back_one.lua
    else
        redis.call('del', lock)
    end
    publish(channel, wake_all)
end

