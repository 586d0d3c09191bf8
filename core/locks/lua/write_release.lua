-- SPDX-License-Identifier: Apache-2.0
-- Releases one hold of a writer. If the lock is gone, waiters are woken all the same, as Redisson does.
-- ARGV[2] lease in ms   ARGV[3] field of the writer
-- Answers nil if it holds none, 0 if it has holds left, 1 if it has none left, text if the message was refused.
local lease, writer = tonumber(ARGV[2]), ARGV[3]
if not redis.call('hget', lock, 'mode') then
    publish(channel, wake_all)
    return nil
end
local count = redis.call('hget', lock, writer)
if not count then
    return nil
end
if tonumber(count) > 1 then
    redis.call('hincrby', lock, writer, -1)
    -- Not below the leases of the writer's own reading holds.
    redis.call('pexpire', lock, math.max(lease, longest_read()))
    redis.call('exists', lock) -- see give_back_one.lua
    return 0
end
writer_leaves(writer)
return announced(1)
