-- SPDX-License-Identifier: Apache-2.0
-- Frees a fair lock for every holder and wakes the head of the queue.
-- Answers 1 if a lock was freed, else 0; text if it was freed and the message was refused.
drop_dead_heads()
if redis.call('del', lock) == 0 then
    return 0
end
wake_head()
return announced(1)
