-- SPDX-License-Identifier: Apache-2.0
-- Put before fair_acquire.lua for the kind that is not reentrant. Answers an empty list if this holder holds the lock
-- already.
if redis.call('hexists', lock, ARGV[3]) == 1 then
    return {}
end

