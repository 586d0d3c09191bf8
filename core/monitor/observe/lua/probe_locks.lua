-- SPDX-License-Identifier: Apache-2.0
-- Finds which of KEYS may be locks, only by the names of their fields. ARGV: most fields of a lock, longest field, and
-- how many fields may be read in all. Answers a number for each key: 1 may be a lock, 0 is no lock, 2 does not exist, 3
-- was not read, 4 may not be read.
local left = tonumber(ARGV[3])
-- The holder UUID:THREAD; every kind of lock has it in the name of a field.
local uuid = string.rep('%x', 8) .. string.rep('%-' .. string.rep('%x', 4), 3) .. '%-' .. string.rep('%x', 12)
local holder = uuid .. ':%-?%d'
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
    local found = 0
    for _, name in ipairs(names) do
        if #name > tonumber(ARGV[2]) then return 0 end
        if found == 0 and string.find(name, holder) then found = 1 end
    end
    return found
end
local verdicts = {}
for i, key in ipairs(KEYS) do verdicts[i] = verdict(key) end
return verdicts
