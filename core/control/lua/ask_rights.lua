-- SPDX-License-Identifier: Apache-2.0
-- Asks the server which commands it would refuse to this user. Executes none of them, and leaves no line in the ACL's log.
-- ARGV: for each command the number of its words, and its words with enough arguments: the server must find its keys.
-- Answers nil if the server cannot say it, else a number for each command: 1 it is allowed, 0 refused, -1 the server does
-- not have it, -2 not known.
local check = redis.acl_check_cmd -- Redis 7 and newer
if type(check) ~= 'function' then
    return nil
end

local function verdict(words)
    local known, allowed = pcall(check, unpack(words))
    if known then
        return allowed and 1 or 0
    end
    local why = type(allowed) == 'table' and allowed.err or tostring(allowed)
    return string.find(why, 'Invalid command', 1, true) and -1 or -2
end

local answers = {}
local at = 1
while ARGV[at] do
    local count, words = tonumber(ARGV[at]), {}
    for i = 1, count do
        words[i] = ARGV[at + i]
    end
    answers[#answers + 1] = verdict(words)
    at = at + count + 1
end
return answers
