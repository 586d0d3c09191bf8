// SPDX-License-Identifier: Apache-2.0
#include "jvm/threadactivity.h"

#include <algorithm>
#include <array>
#include <span>

namespace lockkeeper::jvm {

namespace {

// Packages of the JDK and of libraries that call applications or are called by them.
constexpr std::array libraries{QLatin1String("java."),
                               QLatin1String("javax."),
                               QLatin1String("jdk."),
                               QLatin1String("sun."),
                               QLatin1String("com.sun."),
                               QLatin1String("jakarta."),
                               QLatin1String("org.redisson."),
                               QLatin1String("io.netty."),
                               QLatin1String("io.reactivex."),
                               QLatin1String("reactor."),
                               QLatin1String("rx."),
                               QLatin1String("kotlin."),
                               QLatin1String("kotlinx."),
                               QLatin1String("scala."),
                               QLatin1String("groovy."),
                               QLatin1String("org.apache."),
                               QLatin1String("org.eclipse."),
                               QLatin1String("org.springframework."),
                               QLatin1String("io.undertow."),
                               QLatin1String("org.jboss."),
                               QLatin1String("org.hibernate."),
                               QLatin1String("com.zaxxer."),
                               QLatin1String("com.mysql."),
                               QLatin1String("org.postgresql."),
                               QLatin1String("oracle."),
                               QLatin1String("io.micrometer."),
                               QLatin1String("io.grpc."),
                               QLatin1String("com.google."),
                               QLatin1String("com.fasterxml."),
                               QLatin1String("org.quartz."),
                               QLatin1String("io.vertx."),
                               QLatin1String("io.lettuce."),
                               QLatin1String("redis.clients."),
                               QLatin1String("net.bytebuddy."),
                               QLatin1String("com.alibaba.druid."),
                               QLatin1String("org.aspectj.")};

// Made by the JVM or a library for a class of the application.
constexpr std::array madeUp{QLatin1String("$$Lambda"), QLatin1String("CGLIB$$"), QLatin1String("$Proxy"),
                            QLatin1String("$$FastClass"), QLatin1String("$$SpringCGLIB")};

template <size_t n>
bool beginsAny(const QString& method, const std::array<QLatin1String, n>& prefixes) {
    return std::ranges::any_of(prefixes, [&method](QLatin1String prefix) { return method.startsWith(prefix); });
}

// The frames that the application's innermost one has called; all frames if there is none.
std::span<const Frame> calledFrames(const JavaThread& thread, const std::vector<Frame>::const_iterator& code) {
    return {thread.frames.begin(), code};
}

std::optional<RedissonCall> callIn(const Frame& frame) {
    struct Call {
        QLatin1String prefix;
        RedissonCall call;
    };
    static constexpr std::array calls{
        Call{QLatin1String("org.redisson.RedissonSpinLock."), RedissonCall::SpinLock},
        Call{QLatin1String("org.redisson.RedissonMultiLock."), RedissonCall::MultiLock},
        Call{QLatin1String("org.redisson.RedissonRedLock."), RedissonCall::MultiLock},
        Call{QLatin1String("org.redisson.RedissonFasterMultiLock."), RedissonCall::MultiLock},
        Call{QLatin1String("org.redisson.RedissonSemaphore."), RedissonCall::Semaphore},
        Call{QLatin1String("org.redisson.RedissonPermitExpirableSemaphore."), RedissonCall::Semaphore},
        Call{QLatin1String("org.redisson.RedissonCountDownLatch."), RedissonCall::Latch}};
    // Other calls of the same objects, such as unlock and getHoldCount, only wait for an answer.
    static const QStringList waiting{QStringLiteral("lock"),
                                     QStringLiteral("lockInterruptibly"),
                                     QStringLiteral("tryLock"),
                                     QStringLiteral("lockAndGetToken"),
                                     QStringLiteral("tryLockAndGetToken"),
                                     QStringLiteral("acquire"),
                                     QStringLiteral("tryAcquire"),
                                     QStringLiteral("await")};
    if (!waiting.contains(frame.method.section(u'.', -1)))
        return std::nullopt;
    for (const Call& call : calls)
        if (frame.method.startsWith(call.prefix))
            return call.call;
    const QString type = frame.method.section(u'.', -2, -2);
    return type.startsWith(QLatin1String("Redisson")) && type.endsWith(QLatin1String("Lock"))
               ? std::optional(RedissonCall::Lock)
               : std::nullopt;
}

// The outermost one: a multi lock calls the locks that it consists of.
std::optional<RedissonCall> redissonCall(std::span<const Frame> frames) {
    std::optional<RedissonCall> outermost;
    for (const Frame& frame : frames) {
        if (!frame.method.startsWith(QLatin1String("org.redisson.")))
            continue;
        const std::optional<RedissonCall> call = callIn(frame);
        outermost = call ? call : outermost.value_or(RedissonCall::Other);
    }
    return outermost;
}

bool hasAny(std::span<const Frame> frames, const std::initializer_list<QLatin1String>& prefixes) {
    return std::ranges::any_of(frames, [&prefixes](const Frame& frame) {
        return std::ranges::any_of(prefixes,
                                   [&frame](QLatin1String prefix) { return frame.method.startsWith(prefix); });
    });
}

bool readsSocket(std::span<const Frame> frames) {
    return hasAny(frames,
                  {QLatin1String("sun.nio.ch.SocketDispatcher.read"), QLatin1String("sun.nio.ch.NioSocketImpl."),
                   QLatin1String("java.net.SocketInputStream."), QLatin1String("java.net.Socket$"),
                   QLatin1String("sun.nio.ch.SocketChannelImpl.read"), QLatin1String("java.net.PlainSocketImpl.")});
}

// Waiting for the next task, as the pools of the JDK and of servers do.
bool waitsForTask(std::span<const Frame> frames) {
    return hasAny(frames, {QLatin1String("java.util.concurrent.ThreadPoolExecutor.getTask"),
                           QLatin1String("java.util.concurrent.ForkJoinPool.awaitWork"),
                           QLatin1String("java.util.concurrent.ForkJoinPool.runWorker"),
                           QLatin1String("java.util.TimerThread.mainLoop"),
                           QLatin1String("org.eclipse.jetty.util.thread.QueuedThreadPool"),
                           QLatin1String("org.jboss.threads.EnhancedQueueExecutor")});
}

bool isWaiting(const JavaThread& thread) {
    if (thread.state != ThreadState::Unknown)
        return thread.state == ThreadState::Waiting || thread.state == ThreadState::TimedWaiting;
    // JSON of Java 21 has no states.
    return !thread.frames.empty() &&
           hasAny(std::span(thread.frames).first(1),
                  {QLatin1String("jdk.internal.misc.Unsafe.park"), QLatin1String("sun.misc.Unsafe.park"),
                   QLatin1String("java.lang.VirtualThread.park"), QLatin1String("java.lang.Object.wait")});
}

}  // namespace

bool isOfApplication(const Frame& frame, const QStringList& application) {
    if (!application.isEmpty())
        return std::ranges::any_of(application,
                                   [&frame](const QString& prefix) { return frame.method.startsWith(prefix); });
    const bool isMadeUp =
        std::ranges::any_of(madeUp, [&frame](QLatin1String part) { return frame.method.contains(part); });
    return !isMadeUp && !beginsAny(frame.method, libraries);
}

ThreadActivity activityOf(const JavaThread& thread, const QStringList& application) {
    const auto code = std::ranges::find_if(
        thread.frames, [&application](const Frame& frame) { return isOfApplication(frame, application); });
    const std::span<const Frame> called = calledFrames(thread, code);
    ThreadActivity found;
    if (code != thread.frames.end())
        found.code = *code;
    const std::optional<RedissonCall> call = redissonCall(called);
    if (call && isWaiting(thread)) {
        found.activity = Activity::WaitsForRedisson;
        found.call = call;
    } else if (!found.code && !thread.areFramesCut && waitsForTask(called) && isWaiting(thread)) {
        found.activity = Activity::Idle;
    } else if (hasAny(called,
                      {QLatin1String("java.lang.Thread.sleep"), QLatin1String("java.lang.VirtualThread.sleep")})) {
        found.activity = Activity::Sleeps;
    } else if (readsSocket(called)) {
        found.activity = Activity::ReadsSocket;
    } else if (thread.state == ThreadState::Blocked) {
        found.activity = Activity::WaitsForMonitor;
    } else if (isWaiting(thread)) {
        found.activity = Activity::Waits;
    }
    return found;
}

bool isOfTheJvm(const JavaThread& thread) {
    static const QStringList names{QStringLiteral("Reference Handler"),
                                   QStringLiteral("Finalizer"),
                                   QStringLiteral("Signal Dispatcher"),
                                   QStringLiteral("Service Thread"),
                                   QStringLiteral("Monitor Deflation Thread"),
                                   QStringLiteral("Sweeper thread"),
                                   QStringLiteral("Notification Thread"),
                                   QStringLiteral("Common-Cleaner"),
                                   QStringLiteral("Attach Listener"),
                                   QStringLiteral("Read-Poller"),
                                   QStringLiteral("Write-Poller"),
                                   QStringLiteral("Read-Updater"),
                                   QStringLiteral("Write-Updater"),
                                   QStringLiteral("VirtualThread-unparker"),
                                   QStringLiteral("DestroyJavaVM")};
    static const QStringList prefixes{QStringLiteral("C1 CompilerThread"), QStringLiteral("C2 CompilerThread"),
                                      QStringLiteral("GC Thread#")};
    return names.contains(thread.name) ||
           std::ranges::any_of(prefixes, [&thread](const QString& prefix) { return thread.name.startsWith(prefix); });
}

}  // namespace lockkeeper::jvm
