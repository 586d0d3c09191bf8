-- SPDX-License-Identifier: Apache-2.0
-- Releases one hold of a fair lock; the last one frees it and wakes only the head of the queue.
-- ARGV[2] lease in ms   ARGV[3] holder
-- Answers nil if another holds it, 0 if holds remain, 1 if it is free, text if it is free and the message was refused.
-- If it was free before, the answer is the same: Redisson raises no error then.
local lease, holder = ARGV[2], ARGV[3]
drop_dead_heads()
if redis.call('exists', lock) == 0 then
    wake_head()
    return announced(1)
end
local left = give_back_one(lock, holder, lease)
if left ~= 1 then
    return left
end
redis.call('del', lock)
wake_head()
return announced(1)
