-- After a lost answer: brings the holder's count down to what its client believes, so that a hold nobody knows of is given back.
-- Looks before it acts and touches only this holder's own field, so running it again does no harm.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: a lock nobody subscribes for)   ARGV[1] message   ARGV[2] holder   ARGV[3] believed count
-- Answers the count that the holder has now.
local lock, channel = KEYS[1], KEYS[2]
local message, holder, believed = ARGV[1], ARGV[2], tonumber(ARGV[3])
local count = tonumber(redis.call('hget', lock, holder) or '0')
if count <= believed then
    return count
end
if believed > 0 then
    redis.call('hset', lock, holder, believed)
    return believed
end
redis.call('del', lock)
if channel then
    redis.call('publish', channel, message)
end
return 0
