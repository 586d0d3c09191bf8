-- After a lost answer: brings the holder's count down to what its client believes.
-- ARGV[1] holder   ARGV[2] believed count
-- Answers the count that the holder has now.
local holder, believed = ARGV[1], tonumber(ARGV[2])
local count = settle_down(lock, holder, believed)
if count then
    return count
end
redis.call('del', lock)
drop_dead_heads()
wake_head()
return 0
