-- SPDX-License-Identifier: Apache-2.0
-- Breaks a lock only if it is still in the state that the operator saw and confirmed: same holders with the same counts
-- and modes, same token. It then publishes what a client's own forceUnlock() would publish to the waiters, and deletes
-- the helper keys that Redisson's script leaves behind.
-- KEYS[1] lock   KEYS[2] fair queue   KEYS[3] fair deadlines   KEYS[4] fencing token   KEYS[5..] the readers' timeout
-- keys
-- ARGV[1] unlock channel   ARGV[2] read/write channel   ARGV[3] the token seen, '' if there was none
-- ARGV[4] number of fields seen   ARGV[5..] field, value, field, value ... as seen
-- Answers 1 broken, text if it is broken and the message was refused, 0 already free, -1 the lock is in another state:
-- nothing was changed.
-- locks/lua/fair_queue.lua, same_hold.lua and other_queue.lua are put before this file.
local differs = difference()
if differs then
    return differs
end

-- Reads before any change: a key of an unexpected type makes the script fail here.
local mode = redis.call('hget', lock, 'mode')
local has_queue = head()
redis.call('zcard', deadlines)

redis.call('del', lock)
if mode then
    for i = 5, #KEYS do
        redis.call('del', KEYS[i])
    end
    publish(ARGV[2], mode == 'write' and '1' or '0')
    return announced(1)
end
if not has_queue then
    publish(channel, '0')
    wake_other_queue('0')
    return announced(1)
end
-- A dead waiter at the head would get the wake-up and lose it.
drop_dead_heads()
wake_head()
wake_other_queue('0')
return announced(1)
