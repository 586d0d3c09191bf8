-- SPDX-License-Identifier: Apache-2.0
-- After a lost answer: reduces the holder's count to the count that its client believes, so that a hold which no client
-- knows is released.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: the kind has no messages)   ARGV[1] message   ARGV[2] holder
-- ARGV[3] believed count
-- Answers the holder's count after that.
local lock, channel = KEYS[1], KEYS[2]
local message, holder, believed = ARGV[1], ARGV[2], tonumber(ARGV[3])
local count = settle_down(lock, holder, believed)
if count then
    return count
end
redis.call('del', lock)
if channel then
    publish(channel, message)
end
return 0
