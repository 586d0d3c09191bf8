-- SPDX-License-Identifier: Apache-2.0
local function publish(channel, message)
    redis.call('publish', channel, message)
end
