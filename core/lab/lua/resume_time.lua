-- SPDX-License-Identifier: Apache-2.0
-- Gives the keys the time to live that stop_time.lua has taken from them.
-- ARGV: names and ms, one after the other
for at = 1, #ARGV, 2 do
    redis.call('pexpire', ARGV[at], ARGV[at + 1])
end
return #ARGV / 2
