-- After a lost answer: brings the reader's count down to what its client believes. Which of its holds were lost is not
-- known, and some may have run out long ago: those that stay live as long as the longest of all, and where the count is
-- too high and all have run out none stays.
-- Looks before it acts and touches only this reader's own holds, so running it again does no harm.
-- ARGV[2] reader   ARGV[3] believed count
-- Answers the count that the reader has now.
local reader, believed = ARGV[2], tonumber(ARGV[3])
local count = holds_of(redis.call('hget', lock, reader))
if count <= believed then
    return count
end
local longest = left_of_reader(reader, count)
if longest == 0 then
    believed = 0
end
for hold = 1, count do
    local key = timeout_key(reader, hold)
    if hold > believed then
        redis.call('del', key)
    elseif redis.call('pttl', key) < longest then
        redis.call('set', key, '1', 'px', longest)
    end
end
if believed > 0 then
    redis.call('hset', lock, reader, believed)
else
    redis.call('hdel', lock, reader)
end
after_a_reader_left()
return believed
