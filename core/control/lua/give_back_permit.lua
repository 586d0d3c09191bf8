-- SPDX-License-Identifier: Apache-2.0
-- Returns one permit of a semaphore whose lease is over, if it still has the lease that the operator saw.
-- locks/lua/counter.lua and permits.lua are put before this file.
-- ARGV[2] id of the permit   ARGV[3] the end of its lease as seen, in epoch ms
-- Answers 1 if it is returned, text if the message was refused, 0 if nobody has it any more, -1 if it has another lease,
-- if that is not over by the server's clock, or if the semaphore does not exist: nothing was changed.
local id, seen = ARGV[2], tonumber(ARGV[3])
local ends = redis.call('zscore', leases, id)
if not ends then
    return 0
end
if math.floor(tonumber(ends)) ~= seen or tonumber(ends) > now or redis.call('exists', semaphore) == 0 then
    return -1
end
number_in(semaphore)
redis.call('zrem', leases, id)
publish(channel, redis.call('incr', semaphore))
return announced(1)
