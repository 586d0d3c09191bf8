-- SPDX-License-Identifier: Apache-2.0
-- Frees the lock for every holder, as a client's forceUnlock() does. An operator uses
-- control/lua/compare_and_release.lua instead.
-- KEYS[1] lock   ARGV[1] unlock channel (empty: the kind has no messages)   ARGV[2] message
-- Answers 1 if a lock was freed, else 0; text if it was freed and the message was refused.
if redis.call('del', KEYS[1]) == 0 then
    return 0
end
if ARGV[1] ~= '' then
    publish(ARGV[1], ARGV[2])
end
return announced(1)
