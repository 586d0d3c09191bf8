// SPDX-License-Identifier: Apache-2.0
#include "support/scene.h"

#include "session/demoserver.h"
