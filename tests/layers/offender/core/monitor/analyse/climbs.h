// SPDX-License-Identifier: Apache-2.0
// Breaks the layers on purpose, to test the check: analyse includes the store, which is above it.
#include "monitor/store/lockstore.h"
