// SPDX-License-Identifier: Apache-2.0
const char* key = "settled";
const char* text = "http://host: the lock was given back";
const char* multi =
    "the first line "
    "and whoever reads the second";
