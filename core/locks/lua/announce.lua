-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts that publish: this file is put before each of them.
-- A script cannot take back what it has done. So a message that the server refuses, because the user may not publish,
-- is part of the answer and does not end the script.
local why_not_announced

local function try_to_publish(command, channel, message)
    local reply = redis.pcall(command, channel, message)
    if type(reply) == 'table' then
        why_not_announced = reply.err
    end
end

-- The answer of a script that has freed a lock: the given one, or the server's words if it has refused the message.
local function announced(answer)
    return why_not_announced or answer
end
