// SPDX-License-Identifier: Apache-2.0
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;

// The library as an outside project uses it: installed, found by CMake, linked, used.
class TestInstalledLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        run(LOCKKEEPER_CMAKE, {"--install", LOCKKEEPER_BUILD, "--prefix", prefix()});
    }

    void installsTheHeadersOfTheLibraryAndNoOthers() {
        QVERIFY(QFile::exists(prefix() + "/include/lockkeeper/locks/kinds/reentrantlock.h"));
        for (const QString& room : {"monitor", "engine", "session", "history", "profile", "control", "lab"})
            QVERIFY2(!QFileInfo::exists(prefix() + "/include/lockkeeper/" + room), qPrintable(room));
    }

    void aForeignProjectBuildsAgainstItAndTakesALock() {
        const QString build = m_folder.filePath("build");
        run(LOCKKEEPER_CMAKE, {"-S", LOCKKEEPER_CONSUMER, "-B", build, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix(),
                               QStringLiteral("-DCMAKE_CXX_FLAGS=") + LOCKKEEPER_FLAGS});
        run(LOCKKEEPER_CMAKE, {"--build", build});
        takesALock(build + "/consumer");
    }

    // A program that locks needs neither a database nor a bus nor a keychain, and no window.
    void needsNoMoreThanLockingDoes() {
        for (const QString& file : {m_folder.filePath("build/consumer"), library("liblockkeeper-core.so")}) {
            const QByteArray needed = run(LOCKKEEPER_READELF, {"-d", file});
            QVERIFY2(needed.contains("Qt6Core") || needed.contains("lockkeeper-core"), needed.constData());
            for (const char* word : {"Sql", "DBus", "eychain", "Gui", "Widgets", "monitor"})
                QVERIFY2(!needed.contains(word), (qPrintable(file) + QByteArray(" needs ") + word).constData());
        }
    }

    void pkgConfigTellsWhatACompilerNeeds() {
        qputenv("PKG_CONFIG_PATH", QFileInfo(library("pkgconfig")).filePath().toLocal8Bit());
        const QStringList flags =
            QString::fromLocal8Bit(run("pkg-config", {"--cflags", "--libs", "lockkeeper-core"})).simplified().split(' ');
        const QString program = m_folder.filePath("by-pkg-config");
        QStringList arguments{"-fPIC", LOCKKEEPER_CONSUMER + "/main.cpp", "-o", program};
        arguments += QString(LOCKKEEPER_FLAGS).split(' ', Qt::SkipEmptyParts) + flags;
        arguments << "-Wl,-rpath," + QFileInfo(library("liblockkeeper-core.so")).path();
        run(LOCKKEEPER_COMPILER, arguments);
        takesALock(program);
    }

private:
    [[nodiscard]] QString prefix() const { return m_folder.filePath("prefix"); }
    // Where the installed libraries are: lib, lib64 or lib/<architecture>.
    [[nodiscard]] QString library(const QString& name) const {
        QDirIterator found(prefix(), {name}, QDir::NoFilter, QDirIterator::Subdirectories);
        return found.hasNext() ? found.next() : QString();
    }
    void takesALock(const QString& program) const {
        test::RedisServer server;
        QVERIFY(server.start());
        QCOMPARE(run(program, {server.socketPath()}), QByteArray("working under the lock\n"));
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
#include "tst_installedlibrary.moc"
