-- SPDX-License-Identifier: Apache-2.0
-- Deletes a lock's keys unless it is held.
-- KEYS[1] lock   further keys: what it leaves behind when it is free
-- Answers how many keys were deleted, -1 if the lock is held: nothing is deleted then.
if redis.call('exists', KEYS[1]) == 1 then
    return -1
end
return redis.call('del', unpack(KEYS))
