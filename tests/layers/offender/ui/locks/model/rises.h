// SPDX-License-Identifier: Apache-2.0
// Breaks the rooms on purpose, to test the check.
#include "ui/locks/table/locktableview.h"
