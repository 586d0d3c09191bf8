-- SPDX-License-Identifier: Apache-2.0
-- Reads all keys of a server of a laboratory at one moment. It writes nothing.
-- ARGV[1] a mark, to be found in MONITOR   ARGV[2] number of the frame   ARGV[3] most keys   ARGV[4] most entries of each
-- Answers the number of keys, and for each of the first ones: name, type, PTTL, the entries.
local names = redis.call('keys', '*')
table.sort(names)
local mostKeys, mostEntries = tonumber(ARGV[3]), tonumber(ARGV[4])

local function entries(name, kind)
    if kind == 'hash' then
        return redis.call('hgetall', name)
    elseif kind == 'zset' then
        return redis.call('zrange', name, 0, mostEntries - 1, 'withscores')
    elseif kind == 'list' then
        return redis.call('lrange', name, 0, mostEntries - 1)
    elseif kind == 'set' then
        return redis.call('smembers', name)
    elseif kind == 'string' then
        return { redis.call('get', name) }
    end
    return {}
end

local answer = { #names }
for at = 1, math.min(#names, mostKeys) do
    local name = names[at]
    local kind = redis.call('type', name).ok
    answer[#answer + 1] = { name, kind, redis.call('pttl', name), entries(name, kind) }
end
return answer
