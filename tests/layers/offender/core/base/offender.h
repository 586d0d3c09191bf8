// Breaks the layers on purpose, to test the check.
#include "redis/connection.h"
