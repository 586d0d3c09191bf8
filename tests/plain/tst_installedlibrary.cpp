// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

namespace tst_installedlibrary {

using namespace lockkeeper;

namespace {

// The headers that a program may include. A header that is added here stays for good: other programs depend on it.
const QStringList publicHeaders{"async/completion.h",
                                "async/deadline.h",
                                "async/task.h",
                                "async/taskscope.h",
                                "async/whendone.h",
                                "base/clock.h",
                                "base/clocktimer.h",
                                "base/error.h",
                                "base/ids.h",
                                "base/result.h",
                                "base/systemclock.h",
                                "base/timerqueue.h",
                                "blocking/client.h",
                                "blocking/lock.h",
                                "lockkeeper_export.h",
                                "locks/hold.h",
                                "locks/kinds/fairlock.h",
                                "locks/kinds/fencedlock.h",
                                "locks/kinds/lock.h",
                                "locks/kinds/multilock.h",
                                "locks/kinds/nonreentrantlock.h",
                                "locks/kinds/readwritelock.h",
                                "locks/kinds/redlock.h",
                                "locks/kinds/reentrantlock.h",
                                "locks/kinds/spinlock.h",
                                "locks/lockattempt.h",
                                "locks/lockclient.h",
                                "locks/namemapper.h",
                                "locks/synchronizers/countdownlatch.h",
                                "locks/synchronizers/permitsemaphore.h",
                                "locks/synchronizers/semaphore.h",
                                "redis/beforesendingagain.h",
                                "redis/command.h",
                                "redis/connection.h",
                                "redis/connectionoptions.h",
                                "redis/predecessor.h",
                                "redis/publishing.h",
                                "redis/pushfilter.h",
                                "redis/respvalue.h",
                                "redis/serverinfo.h",
                                "redis/serverrole.h",
                                "redis/transport.h",
                                "topology/deployment.h",
                                "topology/hashslot.h",
                                "topology/mastersource.h",
                                "topology/route.h",
                                "topology/shardconnections.h",
                                "topology/shardid.h",
                                "topology/shards.h",
                                "topology/ssh/jumphost.h"};

}  // namespace

// The library as an outside project uses it: installed, found by CMake, linked, used.
class TestInstalledLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        run(test::places::cmake(), {"--install", test::places::build(), "--prefix", prefix()});
    }

    void installsThePublicHeadersAndNoOthers() {
        const QDir folder(prefix() + "/include/lockkeeper");
        QStringList installed;
        for (QDirIterator file(folder.path(), QDir::Files, QDirIterator::Subdirectories); file.hasNext();)
            installed += folder.relativeFilePath(file.next());
        installed.sort();
        QCOMPARE(installed, publicHeaders);
    }

    // No header needs a private header, nor another header before it.
    void eachPublicHeaderCompilesOnItsOwn_data() {
        QTest::addColumn<QString>("header");
        for (const QString& header : publicHeaders)
            QTest::newRow(qPrintable(header)) << header;
    }
    void eachPublicHeaderCompilesOnItsOwn() {
        QFETCH(const QString, header);
        QFile source(m_folder.filePath("includes.cpp"));
        QVERIFY(source.open(QIODevice::WriteOnly));
        source.write("#include <lockkeeper/" + header.toLatin1() + ">\n");
        source.close();
        const QStringList flags = QStringList{"-fPIC", "-fsyntax-only"} + pkgConfig({"--cflags"});
        run(test::places::compiler(), flags + QStringList{source.fileName()});
    }

    void aForeignProjectBuildsAgainstItAndTakesALock() {
        const QString build = m_folder.filePath("build");
        run(test::places::cmake(),
            {"-S", test::places::consumer(), "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix()});
        run(test::places::cmake(), {"--build", build});
        takesALock(build + "/consumer");
    }
    void aProgramWithoutAnEventLoopTakesALock() {
        takesALock(m_folder.filePath("build/blocking"), "working under the lock\nworking under the lock\n");
    }

    // A program that locks needs neither a database nor a bus nor a keychain, and no window.
    void needsNoMoreThanLockingDoes() {
        for (const QString& file : {m_folder.filePath("build/consumer"), library("liblockkeeper-core.so")}) {
            const QByteArray needed = run(test::places::readelf(), {"-d", file});
            QVERIFY2(needed.contains("Qt6Core") || needed.contains("lockkeeper-core"), needed.constData());
            for (const char* word : {"Sql", "DBus", "eychain", "Gui", "Widgets", "monitor"})
                QVERIFY2(!needed.contains(word), (qPrintable(file) + QByteArray(" needs ") + word).constData());
        }
    }

    // By relative paths, for any prefix.
    void theProgramFindsItsHelpersAndLibraries() {
        test::RedisServer server;
        QVERIFY(server.start());
        const QString program = prefix() + "/bin/lockkeeper";
        QCOMPARE(run(program, {"lock", "unix://" + server.socketPath(), "L", "--", "echo", "locked"}), "locked\n");
        QVERIFY(run(program, {"lab", "list"}).contains("reentry"));
        QVERIFY(QFileInfo(prefix() + "/bin/lockkeeper-gui").isExecutable());
    }

    void pkgConfigTellsWhatACompilerNeeds() {
        const QString program = m_folder.filePath("by-pkg-config");
        QStringList arguments{"-fPIC", test::places::consumer() + "/main.cpp", "-o", program};
        arguments += pkgConfig({"--cflags", "--libs"});
        arguments << "-Wl,-rpath," + QFileInfo(library("liblockkeeper-core.so")).path();
        run(test::places::compiler(), arguments);
        takesALock(program);
    }

private:
    [[nodiscard]] QString prefix() const { return m_folder.filePath("prefix"); }
    // Where the installed libraries are: lib, lib64 or lib/<architecture>.
    [[nodiscard]] QString library(const QString& name) const {
        QDirIterator found(prefix(), {name}, QDir::NoFilter, QDirIterator::Subdirectories);
        return found.hasNext() ? found.next() : QString();
    }
    [[nodiscard]] QStringList pkgConfig(const QStringList& what) const {
        qputenv("PKG_CONFIG_PATH", QFileInfo(library("pkgconfig")).filePath().toLocal8Bit());
        return QString::fromLocal8Bit(run(test::tool("pkg-config", "pkgconf"), what + QStringList{"lockkeeper-core"}))
            .simplified()
            .split(' ');
    }
    void takesALock(const QString& program, const QByteArray& output = "working under the lock\n") const {
        test::RedisServer server;
        QVERIFY(server.start());
        QCOMPARE(run(program, {server.socketPath()}), output);
        QCOMPARE(server.cli({"DBSIZE"}), "0");
    }
    static QByteArray run(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        const bool ended = process.waitForFinished(240000);
        const QByteArray output = process.readAll();
        if (!ended || process.exitCode() != 0)
            qWarning("%s", output.constData());
        QTest::qVerify(ended && process.exitCode() == 0, "exit code 0", qPrintable(program), __FILE__, __LINE__);
        return output;
    }

    const QTemporaryDir m_folder;
};

LOCKKEEPER_TEST(TestInstalledLibrary, Guiless)

}  // namespace tst_installedlibrary

#include "tst_installedlibrary.moc"
