-- SPDX-License-Identifier: Apache-2.0
-- Changes the number of free permits by a difference, which may be negative, also below zero.
-- KEYS[1] semaphore   ARGV[1] channel   ARGV[2] difference
-- Answers 1; text if the message was refused.
local free = number_in(KEYS[1]) + tonumber(ARGV[2])
redis.call('set', KEYS[1], free)
publish(ARGV[1], free)
return announced(1)
