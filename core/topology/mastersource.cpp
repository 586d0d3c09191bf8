// SPDX-License-Identifier: Apache-2.0
#include "topology/mastersource.h"

#include "moc_mastersource.cpp"
