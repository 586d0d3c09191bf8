-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts of semaphores and latches: this file is put before each of them.

-- The number in a key; 0 if there is no key. With any other value the script ends here with the server's own error,
-- before it has changed anything: the server refuses to count it, too.
local function number_in(key)
    local value = redis.call('get', key)
    if not value then
        return 0
    end
    if not string.match(value, '^-?%d+$') then
        redis.call('incrby', key, 0)
    end
    return tonumber(value)
end

