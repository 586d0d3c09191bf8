-- SPDX-License-Identifier: Apache-2.0
-- Takes all values of a faster multi lock away from one holder, if it has those that the operator saw, and as often. The
-- other holders keep theirs.
-- KEYS[1] lock
-- ARGV[1] unlock channel   ARGV[2] the holder   ARGV[3..] value, count, value, count ... as seen
-- Answers 1 if they are released, text if the message was refused, 0 if the holder has none any more, -1 if it has other
-- values or counts: nothing was changed.
local lock, holder = KEYS[1], ARGV[2]

local function part(value, name)
    return value .. ':' .. holder .. ':' .. name
end

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
if owned ~= (#ARGV - 2) / 2 then
    return -1
end
for i = 3, #ARGV, 2 do
    local count = redis.call('hget', lock, part(ARGV[i], 'lock_count'))
    if redis.call('hget', lock, ARGV[i]) ~= holder or count ~= ARGV[i + 1] then
        return -1
    end
end
for i = 3, #ARGV, 2 do
    redis.call('hdel', lock, ARGV[i], part(ARGV[i], 'expire_time'), part(ARGV[i], 'lock_count'))
end
publish(ARGV[1], '0')
redis.call('exists', lock) -- see track() in locks/lua/hold.lua
return announced(1)
