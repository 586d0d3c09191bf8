-- SPDX-License-Identifier: Apache-2.0
-- After a lost answer: reduces the writer's count to the count that its client believes.
-- Reads before it writes and changes only this writer's own field, so it may safely be repeated.
-- ARGV[2] field of the writer   ARGV[3] believed count
-- Answers the writer's count after that.
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
