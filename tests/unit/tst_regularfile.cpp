// SPDX-License-Identifier: Apache-2.0
#include "base/regularfile.h"
#include "support/filesizelimit.h"
#include "support/testprogram.h"

#include <QFile>
#include <QSaveFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <cerrno>

namespace tst_regularfile {

using namespace lockkeeper;

// Files that may be something else than a file, and disks that are full.
class TestRegularFile : public QObject {
    Q_OBJECT

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    const QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(QFile(path("file")).open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(path("file"), path("link")));
        QVERIFY(QFile::link(path("nothing"), path("broken link")));
        QVERIFY(QFile::link(QStringLiteral("/dev/zero"), path("device")));
        QCOMPARE(mkfifo(QFile::encodeName(path("FIFO")).constData(), S_IRUSR | S_IWUSR), 0);
    }

    void opensNothingElse_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<Cause>("refusal");
        QTest::newRow("a file") << path("file") << Cause::None;
        QTest::newRow("a link to one") << path("link") << Cause::None;
        QTest::newRow("a folder") << m_folder.path() << Cause::NotAFile;
        QTest::newRow("a device") << path("device") << Cause::NotAFile;
        QTest::newRow("a FIFO") << path("FIFO") << Cause::NotAFile;
        QTest::newRow("nothing") << path("nothing") << Cause::FileNotRead;
        QTest::newRow("a link to nothing") << path("broken link") << Cause::FileNotRead;
    }
    void opensNothingElse() {
        QFETCH(const QString, path);
        QFETCH(const Cause, refusal);
        QFile file(path);
        const Result<Done> opened = openRegularFile(file);
        QCOMPARE(opened ? Cause::None : opened.error().cause, refusal);
        QCOMPARE(file.isOpen(), opened.ok());
    }

    void aFullDiskIsTheReason() {
        QFile full(QStringLiteral("/dev/full"));
        QVERIFY(full.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        QVERIFY(!writeWhole(full, "bytes"));
        QCOMPARE(full.errorString(), qt_error_string(ENOSPC));
    }

    // The system takes the first bytes, which is no error.
    void aPartlyWrittenBlockHasAReason() {
        const test::FileSizeLimit limit(10);
        QFile file(path("part"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        QVERIFY(!writeWhole(file, QByteArray(100, 'x')));
        QCOMPARE(file.errorString(), qt_error_string(EFBIG));
    }

    void aPartlyWrittenBufferHasAReason_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("smaller than the buffer") << 100;
        QTest::newRow("larger") << 100'000;
    }
    void aPartlyWrittenBufferHasAReason() {
        QFETCH(const int, size);
        const test::FileSizeLimit limit(10);
        QSaveFile file(path("saved"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!writeWhole(file, QByteArray(size, 'x')) || !file.flush());
        QCOMPARE(writeFailure(file), qt_error_string(EFBIG));
    }
};

LOCKKEEPER_TEST(TestRegularFile, Appless)

}  // namespace tst_regularfile

#include "tst_regularfile.moc"
