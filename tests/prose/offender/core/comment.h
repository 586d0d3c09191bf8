// SPDX-License-Identifier: Apache-2.0
// A look of the store.
int look = 1;
int stranger = 2;  // told anew
