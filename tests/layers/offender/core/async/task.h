// SPDX-License-Identifier: Apache-2.0
// Stands for the header with the coroutines.
#pragma once
