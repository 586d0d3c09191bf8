// SPDX-License-Identifier: Apache-2.0
void retry(RetryNow);
void label(SetLabel);
