-- SPDX-License-Identifier: Apache-2.0
-- Common part of all scripts that read the clock or a TTL and then write: this file is put before each of them.
-- Redis 3.2 to 4 lets such a script write only if its changes are replicated instead of the script. Later servers always
-- replicate the changes.
if redis.replicate_commands then
    redis.replicate_commands()
end

