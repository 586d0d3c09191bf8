-- After a lost answer: brings the holder's count down to what its client believes, so that a hold nobody knows of is given back.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: a lock nobody subscribes for)   ARGV[1] message   ARGV[2] holder   ARGV[3] believed count
-- Answers the count that the holder has now.
local lock, channel = KEYS[1], KEYS[2]
local message, holder, believed = ARGV[1], ARGV[2], tonumber(ARGV[3])
local count = settle_down(lock, holder, believed)
if count then
    return count
end
redis.call('del', lock)
if channel then
    redis.call('publish', channel, message)
end
return 0
