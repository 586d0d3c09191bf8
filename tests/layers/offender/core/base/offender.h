// Breaks the layers on purpose: shows that the check can fail.
#include "redis/connection.h"
