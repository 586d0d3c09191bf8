-- SPDX-License-Identifier: Apache-2.0
-- Wakes those who wait for a free lock, as a release would. Changes no key.
-- ARGV[2] read/write channel   ARGV[3] a waiter that is not in the queue and is to be woken, too; mostly empty
-- Answers 1 if the messages were sent, text if one was refused, -1 if the lock is held: its release will wake them.
-- locks/lua/fair_queue.lua is put before this file.
if redis.call('exists', lock) == 1 then
    return -1
end
if ARGV[3] ~= '' then
    publish(channel .. ':' .. ARGV[3], '0')
end
if head() then
    wake_head()
    return announced(1)
end
-- A lock that is free does not show its kind.
publish(channel, '0')
publish(ARGV[2], '1')
return announced(1)
