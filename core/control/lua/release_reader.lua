-- SPDX-License-Identifier: Apache-2.0
-- Takes all holds of a read lock away from one reader, if it still has as many as the operator saw. The other readers
-- keep theirs.
-- KEYS[1] lock   KEYS[2] unlock channel   KEYS[3..] the reader's timeout keys
-- ARGV[1] prefix of the readers' timeout keys   ARGV[2] the reader's field   ARGV[3] its holds as seen
-- Answers 1 if it is released, text if the lock is free and the message was refused, 0 if it was no reader any more, -1
-- if it holds the lock otherwise: nothing was changed.
-- locks/lua/rw_holds.lua is put before this file.
local reader, seen = ARGV[2], ARGV[3]
local mode = redis.call('hget', lock, 'mode')
local holds = mode and redis.call('hget', lock, reader)
if not holds then
    return 0
end
if mode ~= 'read' or holds ~= seen then
    return -1
end
for i = 3, #KEYS do
    redis.call('del', KEYS[i])
end
redis.call('hdel', lock, reader)
if redis.call('hlen', lock) == 1 then -- the mode alone
    redis.call('del', lock)
    publish(channel, wake_one)
    return announced(1)
end
-- As after a reader's own release. But a reader whose timeout keys are all gone was not confirmed, and stays.
local longest = longest_read()
if longest > 0 then
    redis.call('pexpire', lock, longest)
end
redis.call('exists', lock) -- see locks/lua/give_back_one.lua
return 1
