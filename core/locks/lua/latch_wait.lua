-- SPDX-License-Identifier: Apache-2.0
-- KEYS[1] latch
-- Answers a list: 1 if the latch is open, else 0; 0; -1.
return { number_in(KEYS[1]) <= 0 and 1 or 0, 0, -1 }
