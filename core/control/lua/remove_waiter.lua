-- SPDX-License-Identifier: Apache-2.0
-- Removes a dead waiter from the head of a fair lock's queue, and wakes the new head if the lock is free. The deadlines
-- of the others stay.
-- ARGV[2] the waiter   ARGV[3] its deadline as seen, in epoch ms; empty: none
-- Answers 1 if it is removed, text if it is removed and the message was refused, 0 if it is not in the queue any more,
-- -1 if it is not the head, has another deadline, or is subscribed to its channel: nothing was changed.
-- locks/lua/fair_queue.lua is put before this file.
local waiter, seen = ARGV[2], ARGV[3]

-- Only this server's subscribers, and of those that the user may see. The caller has seen for some time that no server
-- has one; this finds a waiter that is back since.
local function listens(count)
    local counts = redis.pcall('pubsub', count, channel .. ':' .. waiter)
    return not counts.err and counts[2] and tonumber(counts[2]) > 0
end

if head() ~= waiter then
    return place_of(waiter) and -1 or 0
end
local deadline = redis.call('zscore', deadlines, waiter)
if seen ~= '' and (not deadline or math.floor(tonumber(deadline)) ~= tonumber(seen)) then
    return -1
end
if listens('numsub') or listens('shardnumsub') then
    return -1
end
redis.call('zrem', deadlines, waiter)
redis.call('lpop', queue)
if redis.call('exists', lock) == 0 then
    wake_head()
end
return announced(1)
