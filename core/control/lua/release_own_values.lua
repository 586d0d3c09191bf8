-- SPDX-License-Identifier: Apache-2.0
-- Releases the values of a faster multi lock that this console holds in quarantine. One that another holder has by now
-- stays with it.
-- KEYS[1] lock
-- ARGV[1] unlock channel   ARGV[2] the holder   ARGV[3..] its values
-- Answers 1 if they are released, text if the message was refused. If it had not all: -1 if another holder has one, else
-- 0; those that it had are released.
local lock, holder = KEYS[1], ARGV[2]
if redis.call('type', lock).ok ~= 'hash' then
    return 0
end
local released, taken_over = 0, false
for i = 3, #ARGV do
    local owner = redis.call('hget', lock, ARGV[i])
    if owner == holder then
        redis.call('hdel', lock, ARGV[i])
        released = released + 1
    elseif owner then
        taken_over = true
    end
    local mine = ARGV[i] .. ':' .. holder
    redis.call('hdel', lock, mine .. ':expire_time', mine .. ':lock_count')
end
if released > 0 then
    publish(ARGV[1], '0')
end
redis.call('exists', lock) -- see locks/lua/give_back_one.lua
if released == #ARGV - 2 then
    return announced(1)
end
return taken_over and -1 or 0
