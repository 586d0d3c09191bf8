-- SPDX-License-Identifier: Apache-2.0
-- After a lost answer: reduces the reader's count to the count that its client believes. It is not known which of its
-- holds were lost, and some may have expired. So every remaining hold gets the longest remaining TTL of all; if the
-- count is too high and all have expired, none remains.
-- Reads before it writes and changes only this reader's own holds, so it may safely be repeated.
-- ARGV[2] reader   ARGV[3] believed count
-- Answers the reader's count after that.
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
