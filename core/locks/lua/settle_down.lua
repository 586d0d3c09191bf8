-- SPDX-License-Identifier: Apache-2.0
-- Put before the scripts that reconcile holds.

-- After a lost answer: reduces a field's count to the count that its client believes, unless that is 0: then the caller
-- frees the lock. Reads before it writes and changes only this field, so it may safely be repeated.
-- Answers the count after that, nil if the lock is to be freed.
local function settle_down(lock, field, believed)
    local count = tonumber(redis.call('hget', lock, field) or '0')
    if count <= believed then
        return count
    end
    if believed == 0 then
        return nil
    end
    redis.call('hset', lock, field, believed)
    return believed
end
