-- SPDX-License-Identifier: Apache-2.0
-- Common part of the scripts that change what one holder of a faster multi lock has: this file is put before each of them.
-- KEYS[1] lock   ARGV[1] the holder
local lock, holder = KEYS[1], ARGV[1]

-- One of the two fields that a value has beside itself: 'expire_time' or 'lock_count'.
local function part(value, owner, name)
    return value .. ':' .. owner .. ':' .. name
end

-- ARGV[first] and on: value, count, value, count ... as the operator saw them.
-- Answers nil if the holder has exactly these values, and as often; 0 if it has none, -1 if others.
local function values_differ(first)
    local owned = 0
    local fields = redis.call('hgetall', lock)
    for i = 2, #fields, 2 do
        if fields[i] == holder then
            owned = owned + 1
        end
    end
    if owned == 0 then
        return 0
    end
    if owned ~= (#ARGV - first + 1) / 2 then
        return -1
    end
    for i = first, #ARGV, 2 do
        local count = redis.call('hget', lock, part(ARGV[i], holder, 'lock_count'))
        if redis.call('hget', lock, ARGV[i]) ~= holder or count ~= ARGV[i + 1] then
            return -1
        end
    end
    return nil
end

