-- SPDX-License-Identifier: Apache-2.0
-- Gives permits to a semaphore. It has no owner, so they need not be taken before.
-- KEYS[1] semaphore   ARGV[1] channel   ARGV[2] number of permits
-- Answers 1; text if the message was refused.
publish(ARGV[1], redis.call('incrby', KEYS[1], ARGV[2]))
return announced(1)
