-- SPDX-License-Identifier: Apache-2.0
-- Common part of the scripts that wake all waiters of a lock. locks/lua/fair_queue.lua is put before this file.

-- With a NameMapper, Redisson before 3.52 keeps the queue of a fair lock under the unmapped name, which is not known here.
-- Its waiters are subscribed to channels of this lock all the same: those that are not in this lock's queue are woken, and
-- the head of their queue takes the lock. In a Cluster they are subscribed to channels of shards since 3.22.
local function wake_other_queue(message)
    local pattern = channel:gsub('[%*%?%[%]\\]', '\\%0') .. ':*'
    local woken = {}
    for _, kind in ipairs({'channels', 'shardchannels'}) do
        -- None if the user may not ask, or the server does not know that kind.
        for _, name in ipairs(redis.pcall('pubsub', kind, pattern)) do
            if not woken[name] and not redis.call('zscore', deadlines, name:sub(#channel + 2)) then
                woken[name] = true
                publish(name, message)
            end
        end
    end
end
