-- SPDX-License-Identifier: Apache-2.0
-- What the renewal of a Redisson reader does: it sets the TTL of its own timeout keys, and that of the whole lock, whatever leases the
-- other readers have (tests/data/redisson-4.7.0/mixed_readers.json). Only for showing: this library's own renewal is renew.lua.
-- KEYS[1] lock   ARGV[1] timeout in ms   ARGV[2] reader   ARGV[3] prefix of the readers' timeout keys: "{NAME}:"
-- Answers 1, or 0 if the reader holds nothing.
local holds = tonumber(redis.call('hget', KEYS[1], ARGV[2]) or '0')
for hold = 1, math.min(holds, 10000) do
    redis.call('pexpire', ARGV[3] .. ARGV[2] .. ':rwlock_timeout:' .. hold, ARGV[1])
end
return holds > 0 and redis.call('pexpire', KEYS[1], ARGV[1]) or 0
