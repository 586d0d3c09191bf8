-- Frees a fair lock whoever holds it, and wakes the head of the queue.
-- Answers 1 when something was freed, else 0.
drop_dead_heads()
if redis.call('del', lock) == 0 then
    return 0
end
wake_head()
return 1
