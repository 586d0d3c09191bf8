-- SPDX-License-Identifier: Apache-2.0
-- Releases one hold of a reader, the newest. If the lock is gone, waiters are woken all the same, as Redisson does.
-- ARGV[2] reader
-- Answers nil if it holds none, 0 if it has holds left, 1 if it has none left, text if a message was refused.
local reader = ARGV[2]
local mode = redis.call('hget', lock, 'mode')
if not mode then
    publish(channel, wake_one)
    return nil
end
local count = tonumber(redis.call('hget', lock, reader))
if not count then
    return nil
end
redis.call('del', timeout_key(reader, count))
if count > 1 then
    redis.call('hincrby', lock, reader, -1)
else
    redis.call('hdel', lock, reader)
end
after_a_reader_left()
return announced(count > 1 and 0 or 1)
