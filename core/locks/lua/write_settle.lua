-- After a lost answer: brings the writer's count down to what its client believes.
-- Looks before it acts and touches only this writer's own field, so running it again does no harm.
-- ARGV[2] field of the writer   ARGV[3] believed count
-- Answers the count that the writer has now.
local writer, believed = ARGV[2], tonumber(ARGV[3])
local count = tonumber(redis.call('hget', lock, writer) or '0')
if count <= believed then
    return count
end
if believed > 0 then
    redis.call('hset', lock, writer, believed)
    return believed
end
writer_leaves(writer)
return 0
