-- SPDX-License-Identifier: Apache-2.0
-- Gives a lock that never expires a TTL, if it is still in the state that the operator saw.
-- KEYS, ARGV as for same_hold.lua, which is put before this file; the last argument is the TTL in ms.
-- Answers 1 if the TTL is set, 0 if the lock is free, -1 if it is in another state or has a TTL: nothing was changed.
local differs = difference()
if differs then
    return differs
end
if redis.call('pttl', KEYS[1]) ~= -1 then
    return -1
end
redis.call('pexpire', KEYS[1], ARGV[#ARGV])
redis.call('exists', KEYS[1]) -- see locks/lua/give_back_one.lua
return 1
