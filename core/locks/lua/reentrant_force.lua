-- SPDX-License-Identifier: Apache-2.0
-- Frees the lock for every holder, as a client's forceUnlock() does. An operator uses
-- control/lua/compare_and_release.lua instead.
-- KEYS[1] lock   KEYS[2] unlock channel (absent: the kind has no messages)   ARGV[1] message
-- Answers 1 if a lock was freed, else 0.
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
if KEYS[2] then
    publish(KEYS[2], ARGV[1])
end
return 1
