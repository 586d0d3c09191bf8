-- SPDX-License-Identifier: Apache-2.0
-- Answers the number of free permits, after those whose lease has ended are freed.
collect(-1)
return number_in(semaphore)
