-- SPDX-License-Identifier: Apache-2.0
local function publish(channel, message)
    try_to_publish('publish', channel, message)
end
