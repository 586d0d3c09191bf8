// SPDX-License-Identifier: Apache-2.0
// Allowed here.
#include <sys/prctl.h>
