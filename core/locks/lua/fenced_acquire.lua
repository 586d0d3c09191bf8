-- Takes a fenced lock, or takes it once more; each time with a new token.
-- KEYS[1] lock   KEYS[2] last token   ARGV[1] lease in ms   ARGV[2] holder
-- Answers a list of one, the token, when taken; else the ms that the present holder's lease has left (-1: no expiry).
local lock, tokens, lease, holder = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
if redis.call('exists', lock) == 0 or redis.call('hexists', lock, holder) == 1 then
    local token = redis.call('incr', tokens)
    return add_hold(lock, holder, lease) or { token }
end
return redis.call('pttl', lock)
