// SPDX-License-Identifier: Apache-2.0
void retry(RetryNow);
// SetLabel is named by a comment alone.
