-- SPDX-License-Identifier: Apache-2.0
-- Counts a latch down. The last one opens it: its key is deleted, and all who wait are woken.
-- KEYS[1] latch   ARGV[1] channel
-- Answers the remaining count; text if the latch is open and the message was refused.
local count = redis.call('decr', KEYS[1])
if count > 0 then
    return count
end
redis.call('del', KEYS[1])
if count == 0 then
    publish(ARGV[1], '0')
end
return announced(0)
