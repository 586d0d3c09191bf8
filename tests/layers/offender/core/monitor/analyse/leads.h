// SPDX-License-Identifier: Apache-2.0
// Allowed here; what includes it reaches a connection.
#include "redis/connection.h"
