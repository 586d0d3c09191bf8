// SPDX-License-Identifier: Apache-2.0
#include "lab/playeddump.h"

#include <QDateTime>

namespace lockkeeper::lab {

namespace {

const QByteArray dumpBegin = R"(Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=725.34ms elapsed=34.40s tid=0x00007f09c8017ea0 nid=0x2e31 waiting on condition  [0x00007f09cdbfe000]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
	at java.util.concurrent.locks.LockSupport.park(java.base@17.0.15/LockSupport.java:211)
	at java.util.concurrent.CountDownLatch.await(java.base@17.0.15/CountDownLatch.java:230)
	at com.example.demo.Application.main(Application.java:24)

"Reference Handler" #2 daemon prio=10 os_prio=0 cpu=0.73ms elapsed=34.36s tid=0x00007f09c80517b0 nid=0x2e33 waiting on condition  [0x00007f09cd639000]
   java.lang.Thread.State: RUNNABLE
	at java.lang.ref.Reference.waitForReferencePendingList(java.base@17.0.15/Native Method)

)";

const QByteArray workingThreads =
    R"("redisson-timer-4-1" #31 prio=5 os_prio=0 cpu=3.26ms elapsed=33.90s tid=0x00007f09c861a330 nid=0x2e40 waiting on condition  [0x00007f09cc3d9000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
	at io.netty.util.HashedWheelTimer$Worker.waitForNextTick(HashedWheelTimer.java:591)

"worker-1" #%1 prio=5 os_prio=0 cpu=12.60ms elapsed=33.80s tid=0x00007f09c861b6d0 nid=0x2e42 waiting on condition  [0x00007f09cc2d8000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(java.base@17.0.15/Native Method)
	at com.example.demo.Worker.work(Worker.java:41)
	at com.example.demo.Worker.run(Worker.java:28)
	at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)

)";

const QByteArray dumpEnd =
    R"("http-8081-1" #40 daemon prio=5 os_prio=0 cpu=3.66ms elapsed=20.84s tid=0x00007f7ab412c3d0 nid=0x2e4b runnable  [0x00007f7a818fd000]
   java.lang.Thread.State: RUNNABLE
	at sun.nio.ch.EPoll.wait(java.base@17.0.15/Native Method)

"VM Thread" os_prio=0 cpu=21.05ms elapsed=34.37s tid=0x00007f09c804e7f0 nid=0x2e32 runnable

JNI global refs: 23, weak refs: 0

)";

}  // namespace

QByteArray playedDump(ThreadId worker, DumpedThread does, WallTime at) {
    const qint64 since1970 = std::chrono::duration_cast<Milliseconds>(at.time_since_epoch()).count();
    const QString time = QDateTime::fromMSecsSinceEpoch(since1970).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    QByteArray dump = time.toLatin1() + '\n' + dumpBegin;
    if (does == DumpedThread::Works)
        dump += QByteArray(workingThreads).replace("%1", QByteArray::number(static_cast<qint64>(worker)));
    return dump + dumpEnd;
}

}  // namespace lockkeeper::lab
