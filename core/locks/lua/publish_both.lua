-- SPDX-License-Identifier: Apache-2.0
-- For a Cluster of Redis 7 or newer: Redisson waits on the shard's channel there, and its versions before 3.22 on the
-- plain one.
local function publish(channel, message)
    redis.call('spublish', channel, message)
    redis.call('publish', channel, message)
end
