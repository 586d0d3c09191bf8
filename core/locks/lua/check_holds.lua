-- SPDX-License-Identifier: Apache-2.0
-- Reads what is left of one client's holds of a lock, and keeps its reading holds alive to their deadlines: another
-- reader's renewal may have set the lock's TTL, and up to Redisson 4.3 every reader's timeout keys, to its own timeout
-- (core/locks/protocol.md, "Mixed fleets").
-- Creates nothing and shortens nothing. A difference that the way of the command explains is left alone: a write would
-- be a change that all others who track the lock read again.
-- KEYS[1] lock   ARGV[1] prefix of the timeout keys of a read/write lock's readers
-- ARGV[2] and on, for each hold: its field, the number of its deadlines, the deadlines in ms from now, the oldest first.
-- For values of a faster multi lock: the holder, their number with a minus, the values.
-- Answers a list: the lock's PTTL, its mode (empty: none), and for each hold 1 (held) or 0; -1 if another holder has one of
-- the values.
local lock, base = KEYS[1], ARGV[1]
local way = 100 -- ms

local function prolong(key, ttl)
    local left = redis.call('pttl', key)
    if left >= 0 and left + way < ttl then
        redis.call('pexpire', key, ttl)
    end
end

local function text(reply)
    return type(reply) == 'string' and reply or nil -- false: no such field; a table: not a hash
end

local function values_held(holder, first, last)
    local answer = 1
    for at = first, last do
        local owner = text(redis.pcall('hget', lock, ARGV[at]))
        if owner ~= holder then
            answer = math.min(answer, owner and -1 or 0)
        end
    end
    return answer
end

local answers = { 0, text(redis.pcall('hget', lock, 'mode')) or '' }
local at = 2
while ARGV[at] do
    local field, deadlines = ARGV[at], tonumber(ARGV[at + 1])
    local last = at + 1 + math.abs(deadlines)
    if deadlines < 0 then
        answers[#answers + 1] = values_held(field, at + 2, last)
    else
        local held = text(redis.pcall('hget', lock, field))
        answers[#answers + 1] = held and 1 or 0
        for hold = 1, held and deadlines or 0 do
            local ttl = tonumber(ARGV[at + 1 + hold])
            prolong(base .. field .. ':rwlock_timeout:' .. hold, ttl)
            prolong(lock, ttl)
        end
    end
    at = last + 1
end
answers[1] = redis.call('pttl', lock) -- the last use of the key is a read: see give_back_one.lua
return answers
