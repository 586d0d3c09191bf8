// SPDX-License-Identifier: Apache-2.0
void right() {
    QTest::qWait(1000);
}
