-- SPDX-License-Identifier: Apache-2.0
-- Removes a dead waiter from a fair lock's queue. If it was the head and the lock is free, wakes the new head. The
-- deadlines of the others stay.
-- ARGV[2] the waiter   ARGV[3] its deadline as seen, in epoch ms; empty: none
-- Answers 1 if it is removed, text if it is removed and the message was refused, 0 if it is not in the queue any more,
-- -1 if it has another deadline, or is subscribed to its channel: nothing was changed.
-- locks/lua/fair_queue.lua is put before this file.
local waiter, seen = ARGV[2], ARGV[3]

-- Only this server's subscribers, and of those that the user may see. The caller has seen for some time that no server
-- has one; this finds a waiter that is back since.
local function listens(count)
    local counts = redis.pcall('pubsub', count, channel .. ':' .. waiter)
    return not counts.err and counts[2] and tonumber(counts[2]) > 0
end

local place = place_of(waiter)
if not place then
    return 0
end
local deadline = redis.call('zscore', deadlines, waiter)
if seen ~= '' and (not deadline or math.floor(tonumber(deadline)) ~= tonumber(seen)) then
    return -1
end
if listens('numsub') or listens('shardnumsub') then
    return -1
end
redis.call('zrem', deadlines, waiter)
redis.call('lrem', queue, 1, waiter)
if place == 1 and redis.call('exists', lock) == 0 then
    wake_head()
end
return announced(1)
