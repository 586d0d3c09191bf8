-- SPDX-License-Identifier: Apache-2.0
-- Takes the time to live from all keys of a server whose clients stand still, so that nothing expires meanwhile.
-- Answers the names and what was left in ms, one after the other: as the arguments of resume_time.lua.
local answer = {}
for _, name in ipairs(redis.call('keys', '*')) do
    local left = redis.call('pttl', name)
    if left > 0 then
        redis.call('persist', name)
        answer[#answer + 1] = name
        answer[#answer + 1] = tostring(left)
    end
end
return answer
