-- Frees a read/write lock whoever holds it, but only in the mode it is asked for.
-- Redisson leaves the readers' timeout keys behind; here they go too.
-- ARGV[2] mode, "read" or "write"
-- Answers 1 when something was freed, else 0.
local mode = ARGV[2]
if redis.call('hget', lock, 'mode') ~= mode then
    return 0
end
for_each_reader(function(reader, holds)
    for hold = 1, holds do
        redis.call('del', timeout_key(reader, hold))
    end
end)
redis.call('del', lock)
redis.call('publish', channel, mode == 'write' and wake_all or wake_one)
return 1
