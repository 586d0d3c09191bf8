-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts of semaphores whose permits have ids and leases: this file is put before each of them.
-- KEYS[1] semaphore: the free permits   KEYS[2] the end of each taken permit's lease, in epoch ms   ARGV[1] channel
-- Uses the server's clock: a client with a wrong clock must not end the leases of others.

local semaphore, leases, channel = KEYS[1], KEYS[2], ARGV[1]
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- What Redisson writes for a permit without a lease.
local never = 922337203685477

-- Frees permits whose lease has ended, at most so many (-1: all).
local function collect(most)
    number_in(semaphore)
    local ended = redis.call('zrangebyscore', leases, 0, now, 'limit', 0, most)
    for _, id in ipairs(ended) do
        redis.call('zrem', leases, id)
    end
    if #ended == 0 then
        return
    end
    local free = redis.call('incrby', semaphore, #ended)
    if free > 0 then
        publish(channel, free)
    end
end

