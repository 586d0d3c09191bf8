-- SPDX-License-Identifier: Apache-2.0
-- Sets the number of all permits, the taken ones included. If more are taken, the number of free ones is negative.
-- ARGV[2] number of permits
-- Answers 1; text if the message was refused.
local wanted = tonumber(ARGV[2])
local change = wanted - number_in(semaphore) - redis.call('zcount', leases, 0, '+inf')
if change ~= 0 then
    redis.call('incrby', semaphore, change)
    publish(channel, wanted)
end
return announced(1)
