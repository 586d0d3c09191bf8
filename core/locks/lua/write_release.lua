-- Gives one hold of a writer back.
-- ARGV[2] lease in ms   ARGV[3] field of the writer
-- Answers nil when it holds none, 0 when it has holds left, 1 when it has none.
local lease, writer = tonumber(ARGV[2]), ARGV[3]
local count = redis.call('hget', lock, writer)
if not count then
    return nil
end
if tonumber(count) > 1 then
    redis.call('hincrby', lock, writer, -1)
    -- Not below what the writer's own readings were promised.
    redis.call('pexpire', lock, math.max(lease, longest_read()))
    return 0
end
writer_leaves(writer)
return 1
