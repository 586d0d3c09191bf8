-- SPDX-License-Identifier: Apache-2.0
-- Takes a lock away from its holders and holds it with a fixed lease, if it is still in the state that the operator saw.
-- Nobody is woken: the lock is not free before the release, which wakes the waiters.
-- KEYS, ARGV as for same_hold.lua, which is put before this file. KEYS[5..] the readers' timeout keys. The last two
-- arguments: the field of the new hold, and its lease in ms.
-- Answers 1 if the lock is held now, 0 if it was free, -1 if it is in another state: nothing was changed.
local lock, field, lease = KEYS[1], ARGV[#ARGV - 1], ARGV[#ARGV]
local differs = difference()
if differs then
    return differs
end
-- First, and with its own lease, so that a server that refuses one of the two leaves the lock to its holders.
redis.call('hset', lock, field, 1)
local leased = redis.pcall('pexpire', lock, lease)
if type(leased) == 'table' then
    redis.call('hdel', lock, field)
    return leased
end
for i = 5, 4 + 2 * tonumber(ARGV[4]), 2 do
    if ARGV[i] == 'mode' then
        redis.call('hset', lock, 'mode', 'write')
    elseif ARGV[i] ~= field then
        redis.call('hdel', lock, ARGV[i])
    end
end
for i = 5, #KEYS do
    redis.call('del', KEYS[i])
end
redis.call('exists', lock) -- see locks/lua/give_back_one.lua
return 1
