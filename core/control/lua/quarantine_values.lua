-- SPDX-License-Identifier: Apache-2.0
-- Gives all values that one holder of a faster multi lock has to another one, with a fixed lease, if it has those that the
-- operator saw, and as often. The other holders keep theirs. Nobody is woken: the values are not free before the release.
-- KEYS[1] lock
-- ARGV[1] the holder   ARGV[2] the new one   ARGV[3] its lease in ms   ARGV[4..] value, count, value, count ... as seen
-- Answers 1 if the new one has them now, 0 if the holder has none any more, -1 if it has other values or counts: nothing
-- was changed.
-- same_values.lua is put before this file.
local new_holder, lease = ARGV[2], tonumber(ARGV[3])
local differ = values_differ(4)
if differ then
    return differ
end
-- Redisson compares it with the clock of its own machine.
local time = redis.call('time')
local expires = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + lease)
for i = 4, #ARGV, 2 do
    redis.call('hset', lock, part(ARGV[i], new_holder, 'expire_time'), expires)
    redis.call('hset', lock, part(ARGV[i], new_holder, 'lock_count'), 1)
end
-- As an acquire: the hash lasts as long as the longest lease. A value without its hash would be free.
local ttl = redis.call('pttl', lock)
local prolonged = ttl >= 0 and redis.pcall('pexpire', lock, math.max(ttl, lease))
if type(prolonged) == 'table' then
    for i = 4, #ARGV, 2 do
        redis.call('hdel', lock, part(ARGV[i], new_holder, 'expire_time'), part(ARGV[i], new_holder, 'lock_count'))
    end
    return prolonged
end
-- The two fields of the former holder, too: with them, its unlock would delete the values.
for i = 4, #ARGV, 2 do
    redis.call('hset', lock, ARGV[i], new_holder)
    redis.call('hdel', lock, part(ARGV[i], holder, 'expire_time'), part(ARGV[i], holder, 'lock_count'))
end
redis.call('exists', lock) -- see locks/lua/give_back_one.lua
return 1
