-- SPDX-License-Identifier: Apache-2.0
-- Common part of the scripts that change a lock as a whole: this file is put before each of them.
-- KEYS[1] lock   KEYS[4] fencing token
-- ARGV[3] the token seen, '' if there was none   ARGV[4] number of fields seen
-- ARGV[5..] field, value, field, value ... as seen

-- Answers nil if the lock is as the operator saw it, 0 if it is free, -1 if it is in another state.
local function difference()
    local fields = tonumber(ARGV[4])
    if redis.call('exists', KEYS[1]) == 0 then
        return 0
    end
    if redis.call('type', KEYS[1]).ok ~= 'hash' or redis.call('hlen', KEYS[1]) ~= fields then
        return -1
    end
    for i = 5, 4 + 2 * fields, 2 do
        if redis.call('hget', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
            return -1
        end
    end
    if ARGV[3] ~= '' and redis.call('get', KEYS[4]) ~= ARGV[3] then
        return -1
    end
    return nil
end

