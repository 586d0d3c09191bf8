-- Frees the lock whoever holds it, as a client's forceUnlock() does. For an operator see control/lua/compare_and_release.lua.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: a lock nobody subscribes for)   ARGV[1] message
-- Answers 1 when something was freed, else 0.
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
if KEYS[2] then
    redis.call('publish', KEYS[2], ARGV[1])
end
return 1
