// SPDX-License-Identifier: Apache-2.0
void waits(const Deadline& end, const QElapsedTimer& time) {
    QTest::qWait(50);
    QTest::qWait(static_cast<int>(pause.count()));
    QTest::qSleep(1);
    QThread::msleep(20);
    std::this_thread::sleep_for(1s);
    ::sleep(3);
    usleep(7);
    (void)becomesTrue([&end] { return end.hasPassed(); });
    QTRY_VERIFY(time.elapsed() > 300);
    start({"sh", "-c", "touch ready; sleep 0.05; exit 5"});
    QVERIFY(QTest::qWaitFor([] { return isRight(); }));
    m_clock->sleep(15s);
    start({"sh", "-c", "echo runs; exec sleep 100"});
    start({"sh", "-c", "while ! [ -e right ]; do sleep 0.02; done"});
}
