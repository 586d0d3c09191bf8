-- SPDX-License-Identifier: Apache-2.0
-- Deletes a semaphore. Nobody is notified, as of Redisson's delete(): a waiter sleeps until permits are set again.
-- KEYS[1] semaphore   KEYS[2] leases of its permits, if they have ids
-- Answers 1 if there was something to delete, otherwise 0.
redis.call('get', KEYS[1]) -- a key of another type makes the script fail here
return redis.call('del', unpack(KEYS)) > 0 and 1 or 0
