-- SPDX-License-Identifier: Apache-2.0
-- Takes permits if so many are free.
-- KEYS[1] semaphore   ARGV[1] number of permits
-- Answers a list: 1 if they are taken, else 0; the free permits after that; -1.
local free, wanted = number_in(KEYS[1]), tonumber(ARGV[1])
if free < wanted then
    return { 0, free, -1 }
end
return { 1, redis.call('decrby', KEYS[1], ARGV[1]), -1 }
