-- SPDX-License-Identifier: Apache-2.0
-- Renews many locks in one round trip, each only if its holder still holds it.
-- KEYS the locks   ARGV[1] timeout in ms
-- ARGV[2i], ARGV[2i + 1] for KEYS[i]: the field that counts its holds; for a read/write lock the prefix of its readers'
-- timeout keys, else empty
-- Answers a list: 1 renewed, 0 the holder is gone (or the key is no longer a lock).
local timeout = tonumber(ARGV[1])

local function prolong(key)
    if redis.call('pttl', key) < timeout then
        redis.call('pexpire', key, timeout)
    end
end

-- If a reader's hold with a shorter lease has expired beside a longer one, its timeout key is written again, as the
-- renewal of a plain lock keeps all reentries. A server without memory refuses that; the others are prolonged all the same.
local function prolong_hold(key)
    if redis.call('exists', key) == 1 then
        prolong(key)
    else
        redis.pcall('set', key, '1', 'px', timeout)
    end
end

-- Each reentry of a writer has added to the TTL. If only the writer is in the hash, the TTL is set as for any other lock,
-- so that a writer that dies blocks the others for no longer than the timeout. Other read/write locks may be held with
-- longer leases, too, so that their TTL is never shortened.
local function renew_shared(lock, field, base, holds)
    local is_writer = field:sub(-6) == ':write'
    if is_writer and redis.call('hlen', lock) == 2 then -- the mode and the writer
        redis.call('pexpire', lock, timeout)
        return 1
    end
    if not is_writer then
        for hold = 1, math.min(tonumber(holds) or 0, 10000) do
            prolong_hold(base .. field .. ':rwlock_timeout:' .. hold)
        end
    end
    prolong(lock)
    return 1
end

local answers = {}
for i, lock in ipairs(KEYS) do
    local field, base = ARGV[2 * i], ARGV[2 * i + 1]
    local holds = redis.pcall('hget', lock, field)
    if type(holds) ~= 'string' then
        answers[i] = 0
    elseif base == '' then
        answers[i] = redis.call('pexpire', lock, timeout)
    else
        answers[i] = renew_shared(lock, field, base, holds)
    end
end
redis.call('exists', unpack(KEYS)) -- read after the last write: see give_back_one.lua
return answers
