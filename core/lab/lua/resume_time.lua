-- SPDX-License-Identifier: Apache-2.0
-- Gives the keys the time to live that stop_time.lua has taken from them, except those that have one again.
-- ARGV: names and ms, one after the other
for at = 1, #ARGV, 2 do
    if redis.call('pttl', ARGV[at]) == -1 then
        redis.call('pexpire', ARGV[at], ARGV[at + 1])
    end
end
return #ARGV / 2
