-- SPDX-License-Identifier: Apache-2.0
-- Put before reentrant_acquire.lua for the kind that is not reentrant. Answers an empty list if this holder holds the
-- lock already.
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
    return {}
end

