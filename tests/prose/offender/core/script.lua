-- SPDX-License-Identifier: Apache-2.0
-- It ends with its lease.
local wish = "a wish is code here"
