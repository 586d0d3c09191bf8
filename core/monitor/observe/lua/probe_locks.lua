-- SPDX-License-Identifier: Apache-2.0
-- Finds which of KEYS may be locks, only by the names of their fields. ARGV: most fields of a lock, longest field, and
-- how many fields may be read in all; and 1 if the user has named the keys as locks, so that those of other programs
-- count, too, whatever they call their holders. Answers a number for each key: 1 may be a lock, 0 is no lock, 2 does not
-- exist, 3 was not read, 4 may not be read.
local left = tonumber(ARGV[3])
-- The holder UUID:THREAD; every kind of lock has it in the name of a field. Another program may use any word as THREAD.
local uuid = string.rep('%x', 8) .. string.rep('%-' .. string.rep('%x', 4), 3) .. '%-' .. string.rep('%x', 12)
local holder = uuid .. ':.'
local function verdict(key)
    local count = redis.pcall('HLEN', key)
    if type(count) == 'table' then
        return string.find(count.err, '^WRONGTYPE') and 0 or 4
    end
    if count == 0 then return 2 end
    -- So many readers at once are rare; another kind of lock never has so many fields.
    if count > tonumber(ARGV[1]) then
        local isRead = redis.pcall('HSTRLEN', key, 'mode') == 4 and redis.pcall('HGET', key, 'mode') == 'read'
        return isRead and 1 or 0
    end
    if count > left then return 3 end
    left = left - count
    local names = redis.pcall('HKEYS', key)
    if names.err then return 4 end
    local found, mode = 0, #names == 1
    for _, name in ipairs(names) do
        if #name > tonumber(ARGV[2]) then return 0 end
        if found == 0 and string.find(name, holder) then found = 1 end
        mode = mode or name == 'mode'
    end
    if found == 1 or ARGV[4] ~= '1' or not mode then return found end
    for _, name in ipairs(names) do
        if name ~= 'mode' and not string.find(name, '^[%w%.@_%-]+:[%w%.:@_%-]+$') then return 0 end
    end
    return 1
end
local verdicts = {}
for i, key in ipairs(KEYS) do verdicts[i] = verdict(key) end
return verdicts
