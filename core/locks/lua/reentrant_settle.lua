-- SPDX-License-Identifier: Apache-2.0
-- After a lost answer: reduces the holder's count to the count that its client believes, so that a hold which no client
-- knows is released.
-- KEYS[1] lock   ARGV[1] unlock channel (empty: the kind has no messages)   ARGV[2] message   ARGV[3] holder
-- ARGV[4] believed count
-- Answers the holder's count after that.
local lock, channel = KEYS[1], ARGV[1]
local message, holder, believed = ARGV[2], ARGV[3], tonumber(ARGV[4])
local count = settle_down(lock, holder, believed)
if count then
    return count
end
redis.call('del', lock)
if channel ~= '' then
    publish(channel, message)
end
return 0
