// SPDX-License-Identifier: Apache-2.0
// Breaks the rule on purpose, to test the check.
#include "sys/socket.h"
