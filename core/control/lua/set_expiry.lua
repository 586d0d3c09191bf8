-- SPDX-License-Identifier: Apache-2.0
-- Gives a lock that never expires a TTL, if it is still in the state that the operator saw. Its waiters have read that it
-- has none, and sleep until a message: they are woken, so that they read the TTL.
-- KEYS, ARGV as for same_hold.lua; the last argument is the TTL in ms.
-- Answers 1 if the TTL is set, text if it is set and a message was refused, 0 if the lock is free, -1 if it is in another
-- state or has a TTL: nothing was changed.
-- locks/lua/fair_queue.lua, same_hold.lua and other_queue.lua are put before this file.
local differs = difference()
if differs then
    return differs
end
if redis.call('pttl', KEYS[1]) ~= -1 then
    return -1
end
local waiters = {}
local isReadWrite = redis.call('hexists', KEYS[1], 'mode') == 1
if not isReadWrite then
    waiters = redis.call('lrange', queue, 0, -1) -- before anything is changed: a refusal ends the script
end
redis.call('pexpire', KEYS[1], ARGV[#ARGV])
redis.call('exists', KEYS[1]) -- see locks/lua/give_back_one.lua
-- The message 1 wakes every waiter of a client. On the channel of a plain lock it is never a release.
if isReadWrite then
    publish(ARGV[2], '1')
    return announced(1)
end
publish(channel, '1')
for _, waiter in ipairs(waiters) do
    publish(channel .. ':' .. waiter, '1')
end
wake_other_queue('1')
return announced(1)
