-- It ends with its lease.
local wish = "a wish is code here"
