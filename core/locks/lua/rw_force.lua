-- SPDX-License-Identifier: Apache-2.0
-- Frees a read/write lock for every holder, but only if it is in the given mode.
-- Redisson leaves the readers' timeout keys behind (core/locks/protocol.md); this script deletes them too.
-- ARGV[2] mode, "read" or "write"
-- Answers 1 if a lock was freed, else 0; text if it was freed and the message was refused.
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
publish(channel, mode == 'write' and wake_all or wake_one)
return announced(1)
