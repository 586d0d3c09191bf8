-- SPDX-License-Identifier: Apache-2.0
-- Takes all free permits.
-- KEYS[1] semaphore
-- Answers how many there were.
local free = number_in(KEYS[1])
if free ~= 0 then
    redis.call('set', KEYS[1], 0)
end
return free
