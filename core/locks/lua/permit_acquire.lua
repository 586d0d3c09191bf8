-- SPDX-License-Identifier: Apache-2.0
-- Takes one permit if one is free, or if the lease of one has ended.
-- ARGV[2] id of the permit   ARGV[3] lease in ms, -1 for none
-- Answers a list: 1 if it is taken, else 0; the free permits after that; in how many ms the next lease ends, -1 if none
-- does.
local id, lease = ARGV[2], tonumber(ARGV[3])
collect(1)
local free = number_in(semaphore)
if free >= 1 then
    redis.call('decrby', semaphore, 1)
    redis.call('zadd', leases, lease < 0 and never or now + lease, id)
    local ttl = redis.call('pttl', semaphore)
    if ttl > 0 then
        redis.call('pexpire', leases, ttl)
    end
    return { 1, free - 1, -1 }
end
local first = redis.call('zrange', leases, 0, 0, 'WITHSCORES')
local ends = tonumber(first[2] or never)
return { 0, free, ends < never and math.max(ends - now, 0) or -1 }
