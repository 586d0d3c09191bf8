-- SPDX-License-Identifier: Apache-2.0
-- Reads one lock. The limits stand in a line that LockReader puts before this text. KEYS: hash, fair queue, token. The
-- server tracks them for us; each further key would make every command in this script more expensive. Keys of the same
-- slot that change only together with those are derived from them. ARGV: 1 if the commands of a short read are allowed,
-- else 0, and then the readers at the read before.
-- Answers a word if the key is no lock, 'refused ...', {fields, pttl} of a lock with nothing else, or {fields, pttl,
-- queue, its length, deadlines, token, leases, refusals}, and of a read lock with more than the most fields their
-- number; then fields is a part of them. leases: false for a lock without readers, else {1 if complete else 0, reader,
-- hold, pttl, reader ...}.

-- Another program may name its holders otherwise: NAME:NAME. Only with a single field, or beside a mode: other hashes
-- have such names, too.
local function may_be_other(name) return name == 'mode' or string.find(name, '^[%w%.@_%-]+:[%w%.:@_%-]+$') end

-- A short read: a hash that the server keeps as a listpack is small, so it can be read before anything else is known
-- of it. A lock is such a hash, unless very many read it, and most have no queue and no token. Whatever is refused is
-- left to the careful read, which says what.
local fields, shared, helpers
-- Every kind of lock has a client's UUID in a field.
local uuid = '%x%x%x%x%x%x%x%x%-%x%x%x%x%-'
local encoding = ARGV[1] == '1' and redis.pcall('OBJECT', 'ENCODING', KEYS[1])
if encoding == 'listpack' or (ARGV[1] == '1' and not encoding) then
    fields = encoding and redis.pcall('HGETALL', KEYS[1]) or {}
    if fields.err or #fields > 2 * mostFields then fields = nil end
end
if fields then
    local isLock = #fields == 0
    local isOther = true
    for i = 1, #fields, 2 do
        if #fields[i] > longestField or #fields[i + 1] > longestValue then return 'size' end
        isLock = isLock or string.find(fields[i], uuid)
        isOther = isOther and may_be_other(fields[i])
        shared = shared or fields[i] == 'mode'
    end
    if not isLock and not (isOther and (shared or #fields == 2)) then return 'names' end
    local isShort = not shared and #ARGV == 1
    helpers = isShort and redis.pcall('EXISTS', KEYS[2], KEYS[3])
    local pttl = isShort and redis.pcall('PTTL', KEYS[1])
    if helpers == 0 and type(pttl) == 'number' then return {fields, pttl} end
    if type(helpers) == 'number' and type(pttl) == 'number' then
        local queue, token = redis.pcall('LRANGE', KEYS[2], 0, 99), redis.pcall('GET', KEYS[3])
        local timeouts = string.gsub(KEYS[2], 'queue', 'timeout', 1)
        local deadlines = #queue > 0 and redis.pcall('ZRANGE', timeouts, 0, 99, 'WITHSCORES') or {}
        local isRefused = queue.err or deadlines.err or type(token) == 'table'
        if not isRefused and #queue < 100 then
            return {fields, pttl, queue, #queue, deadlines, token, false, {}}
        end
    end
end

local refusals = {}
-- In a Cluster, of a key that another node has meanwhile: then nothing is known about the lock.
local moved = false
local function isMoved(err) return string.find(err, 'non local key') ~= nil end
-- The reply, or nothing if it is a refusal.
local function accepted(command, reply)
    if type(reply) ~= 'table' or not reply.err then return reply end
    moved = moved or isMoved(reply.err)
    if not string.find(reply.err, '^WRONGTYPE') then refusals[#refusals + 1] = command .. ' ' .. reply.err end
end
local function try(command, ...) return accepted(command, redis.pcall(command, ...)) end
accepted('OBJECT', encoding)
accepted('EXISTS', helpers)

-- The careful read, of any other key: HLEN and HSTRLEN before the values.
local count = fields and 0 or redis.pcall('HLEN', KEYS[1])
if type(count) == 'table' then
    return string.find(count.err, '^WRONGTYPE') and 'type' or 'refused HLEN ' .. count.err
end
local cut = count > mostFields
if cut and (try('HSTRLEN', KEYS[1], 'mode') ~= 4 or try('HGET', KEYS[1], 'mode') ~= 'read') then return 'fields' end
-- Without a UUID, or with a name or value that is too long, the values are not read.
local names = count > 0 and not cut and try('HKEYS', KEYS[1])
if names then
    local uuids, others, mode = 0, 0, #names == 1
    for _, name in ipairs(names) do
        if #name > longestField then return 'size' end
        if string.find(name, uuid) then uuids = uuids + 1 end
        if may_be_other(name) then others = others + 1 end
        mode = mode or name == 'mode'
    end
    if uuids == 0 and not (mode and others == #names) then return 'names' end
    for _, name in ipairs(names) do
        if (try('HSTRLEN', KEYS[1], name) or 0) > longestValue then return 'size' end
    end
end
-- A page may be empty although the hash is not.
local function readPart()
    local part, cursor, most = {}, '0', 2 * partOfFields
    repeat
        local page = redis.pcall('HSCAN', KEYS[1], cursor, 'COUNT', partOfFields)
        if page.err then return page end
        cursor = page[1]
        for i = 1, math.min(#page[2], most - #part) do part[#part + 1] = page[2][i] end
    until cursor == '0' or #part == most
    return part
end
fields = fields or (cut and readPart() or redis.pcall('HGETALL', KEYS[1]))
if fields.err then return cut and 'fields' or 'refused HGETALL ' .. fields.err end
if cut then
    for i = 1, #fields, 2 do
        if #fields[i] > longestField or #fields[i + 1] > longestValue then return 'size' end
    end
end
local pttl = redis.pcall('PTTL', KEYS[1])
if type(pttl) == 'table' then return 'refused PTTL ' .. pttl.err end

local leases = {1}
local left = mostLeases
local base = string.sub(KEYS[2], string.len('redisson_lock_queue:') + 1) .. ':'
local refusal
local function findLeases(reader, holds)
    for hold = 1, holds do
        left = left - 1
        local key = base .. reader .. ':rwlock_timeout:' .. hold
        local rest = left >= 0 and redis.pcall('PTTL', key)
        if type(rest) == 'table' then
            moved = moved or isMoved(rest.err)
            refusal = 'rwlock_timeout ' .. rest.err
        end
        if type(rest) ~= 'number' then leases[1] = 0 return end
        if rest ~= -2 then
            for _, part in ipairs({reader, hold, rest}) do leases[#leases + 1] = part end
        end
    end
end
local holds = {}
for i = 1, #fields, 2 do holds[fields[i]] = tonumber(fields[i + 1]) or 0 end
shared = holds['mode'] ~= nil and not cut
for reader, number in pairs(shared and holds or {}) do
    -- One more than the count: finds a timeout key that was left behind.
    local writes = string.find(reader, ':write$') or string.find(reader, ':write:%x+$')
    if reader ~= 'mode' and not writes then findLeases(reader, number + 1) end
end
for i = 2, cut and 0 or #ARGV do
    if not holds[ARGV[i]] then findLeases(ARGV[i], 2) end
end
if refusal then refusals[#refusals + 1] = refusal end
local queue = try('LRANGE', KEYS[2], 0, 99) or {}
-- Without a queue there are no deadlines.
local isQueue = #queue > 0
local length = isQueue and try('LLEN', KEYS[2]) or 0
local timeouts = string.gsub(KEYS[2], 'queue', 'timeout', 1)
local deadlines = isQueue and try('ZRANGE', timeouts, 0, 99, 'WITHSCORES') or {}
local token = try('GET', KEYS[3]) or false
if moved then return redis.error_reply('TRYAGAIN keys of the lock are moving') end
local asked = not cut and (shared or #ARGV > 1)
local answer = {fields, pttl, queue, length, deadlines, token, asked and leases or false, refusals}
if cut then answer[#answer + 1] = count end
return answer
