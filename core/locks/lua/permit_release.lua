-- SPDX-License-Identifier: Apache-2.0
-- Releases a permit. May safely be repeated.
-- ARGV[2] id of the permit
-- Answers 1, or 0 if its lease had ended; text if it is released and the message was refused.
local id = ARGV[2]
number_in(semaphore)
local ends = redis.call('zscore', leases, id)
if not ends then
    return 0
end
redis.call('zrem', leases, id)
publish(channel, redis.call('incrby', semaphore, 1))
return announced(tonumber(ends) > now and 1 or 0)
