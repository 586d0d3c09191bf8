#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;

// The library as an outside project uses it: installed, found by CMake, linked, used.
class TestInstalledLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStrangersProjectBuildsAgainstItAndTakesALock() {
        const QTemporaryDir folder;
        const QString prefix = folder.filePath("prefix");
        const QString build = folder.filePath("build");
        run(LOCKKEEPER_CMAKE, {"--install", LOCKKEEPER_BUILD, "--prefix", prefix});
        QVERIFY(QFile::exists(prefix + "/include/lockkeeper/locks/kinds/reentrantlock.h"));
        run(LOCKKEEPER_CMAKE, {"-S", LOCKKEEPER_CONSUMER, "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix,
                               QStringLiteral("-DCMAKE_CXX_FLAGS=") + LOCKKEEPER_FLAGS});
        run(LOCKKEEPER_CMAKE, {"--build", build});
        test::RedisServer server;
        QVERIFY(server.start());
        QCOMPARE(run(build + "/consumer", {server.socketPath()}), QByteArray("working under the lock\n"));
        QCOMPARE(server.cli({"DBSIZE"}), "0");
    }

private:
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
};

LOCKKEEPER_TEST(TestInstalledLibrary, Guiless)
#include "tst_installedlibrary.moc"
