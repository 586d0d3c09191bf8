// SPDX-License-Identifier: Apache-2.0
void right(const Deadline& until) {
    (void)becomesTrue([&until] { return until.hasPassed(); });
}
