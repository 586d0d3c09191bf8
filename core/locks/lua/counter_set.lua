-- SPDX-License-Identifier: Apache-2.0
-- Sets the permits of a semaphore, or the count of a latch, if there are none.
-- KEYS[1] semaphore or latch   ARGV[1] channel   ARGV[2] number   ARGV[3] message
-- Answers 1 if they are set, 0 if there were some; text if they are set and the message was refused.
if redis.call('get', KEYS[1]) then
    return 0
end
redis.call('set', KEYS[1], ARGV[2])
publish(ARGV[1], ARGV[3])
return announced(1)
