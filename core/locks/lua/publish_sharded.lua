-- SPDX-License-Identifier: Apache-2.0
-- For a Cluster of Redis 7 or newer without a client of Redisson before 3.22.
local function publish(channel, message)
    try_to_publish('spublish', channel, message)
end
