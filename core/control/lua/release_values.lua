-- SPDX-License-Identifier: Apache-2.0
-- Takes all values of a faster multi lock away from one holder, if it has those that the operator saw, and as often. The
-- other holders keep theirs.
-- KEYS[1] lock
-- ARGV[1] the holder   ARGV[2] unlock channel   ARGV[3..] value, count, value, count ... as seen
-- Answers 1 if they are released, text if the message was refused, 0 if the holder has none any more, -1 if it has other
-- values or counts: nothing was changed.
-- same_values.lua is put before this file.
local differ = values_differ(3)
if differ then
    return differ
end
for i = 3, #ARGV, 2 do
    redis.call('hdel', lock, ARGV[i], part(ARGV[i], holder, 'expire_time'), part(ARGV[i], holder, 'lock_count'))
end
publish(ARGV[2], '0')
redis.call('exists', lock) -- see locks/lua/give_back_one.lua
return announced(1)
