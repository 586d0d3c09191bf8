-- SPDX-License-Identifier: Apache-2.0
-- Deletes a latch: it is open then, and all who wait are woken.
-- KEYS[1] latch   ARGV[1] channel
-- Answers 1 if it had a count, otherwise 0; text if it is deleted and the message was refused.
redis.call('get', KEYS[1]) -- a key of another type makes the script fail here
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
publish(ARGV[1], '0')
return announced(1)
