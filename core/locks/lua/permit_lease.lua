-- SPDX-License-Identifier: Apache-2.0
-- Sets the lease of a taken permit, counted from now.
-- ARGV[2] id of the permit   ARGV[3] lease in ms
-- Answers 1, or 0 if its lease had ended.
collect(-1)
if not redis.call('zscore', leases, ARGV[2]) then
    return 0
end
redis.call('zadd', leases, now + tonumber(ARGV[3]), ARGV[2])
return 1
