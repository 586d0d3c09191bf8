-- SPDX-License-Identifier: Apache-2.0
-- For a Cluster of Redis 7 or newer: Redisson waits on the shard's channel there, and its versions before 3.22 on the
-- plain one.
local function publish(channel, message)
    try_to_publish('spublish', channel, message)
    try_to_publish('publish', channel, message)
end
