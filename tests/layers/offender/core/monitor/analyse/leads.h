// Allowed here; what includes it reaches a connection.
#include "redis/connection.h"
