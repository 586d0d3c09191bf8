-- After a lost answer: brings the holder's count down to what its client believes.
-- Looks before it acts and touches only this holder's own field, so running it again does no harm.
-- ARGV[1] holder   ARGV[2] believed count
-- Answers the count that the holder has now.
local holder, believed = ARGV[1], tonumber(ARGV[2])
local count = tonumber(redis.call('hget', lock, holder) or '0')
if count <= believed then
    return count
end
if believed > 0 then
    redis.call('hset', lock, holder, believed)
    return believed
end
redis.call('del', lock)
drop_dead_heads()
wake_head()
return 0
