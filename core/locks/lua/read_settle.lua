-- After a lost answer: brings the reader's count down to what its client believes. Which of its holds were lost is not
-- known, so the last one that stays lives as long as any of those that go.
-- Looks before it acts and touches only this reader's own holds, so running it again does no harm.
-- ARGV[2] reader   ARGV[3] believed count
-- Answers the count that the reader has now.
local reader, believed = ARGV[2], tonumber(ARGV[3])
local count = holds_of(redis.call('hget', lock, reader))
if count <= believed then
    return count
end
local longest = 0
for hold = believed + 1, count do
    local key = timeout_key(reader, hold)
    longest = math.max(longest, redis.call('pttl', key))
    redis.call('del', key)
end
if believed == 0 then
    redis.call('hdel', lock, reader)
else
    redis.call('hset', lock, reader, believed)
    local kept = timeout_key(reader, believed)
    if longest > redis.call('pttl', kept) then
        redis.call('set', kept, '1', 'px', longest)
    end
end
after_a_reader_left()
return believed
