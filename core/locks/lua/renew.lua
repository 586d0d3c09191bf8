-- Renews many locks in one round trip: each one whose holder still holds it.
-- KEYS the locks   ARGV[1] timeout in ms   ARGV[i + 1] the holder of KEYS[i]
-- Answers a list: 1 renewed, 0 the holder is gone (or the key is no lock any more).
local answers = {}
for i, lock in ipairs(KEYS) do
    answers[i] = 0
    local held = redis.pcall('hexists', lock, ARGV[i + 1])
    if held == 1 then
        answers[i] = redis.call('pexpire', lock, ARGV[1])
    end
end
return answers
