-- SPDX-License-Identifier: Apache-2.0
-- After a lost answer: reduces the holder's count to the count that its client believes.
-- ARGV[2] holder   ARGV[3] believed count
-- Answers the holder's count after that.
local holder, believed = ARGV[2], tonumber(ARGV[3])
local count = settle_down(lock, holder, believed)
if count then
    return count
end
redis.call('del', lock)
drop_dead_heads()
wake_head()
return 0
