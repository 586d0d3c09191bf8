// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_serviceunits {

using namespace lockkeeper::test;

// The units for systemd, and the file for containers, as far as that is possible without running either.
class TestServiceUnits : public QObject {
    Q_OBJECT

private:
    static QString packaging() { return QDir::cleanPath(places::core() + QStringLiteral("/../packaging")); }
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QString run(const QString& program, const QStringList& arguments, int& exitCode) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        process.waitForFinished();
        exitCode = process.exitCode();
        return QString::fromUtf8(process.readAll());
    }

private Q_SLOTS:
    void units_data() {
        QTest::addColumn<QString>("unit");
        for (const QString& unit : QDir(packaging() + QStringLiteral("/systemd"))
                                       .entryList({QStringLiteral("*.service")}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(unit)) << unit;
    }
    // The units name the installed program; the test puts the built one in its place.
    void units() {
        QFETCH(const QString, unit);
        const QTemporaryDir folder;
        QByteArray text = contentOf(packaging() + QStringLiteral("/systemd/") + unit);
        QVERIFY(text.contains("/usr/bin/lockkeeper "));
        text.replace("/usr/bin/lockkeeper ", QFile::encodeName(places::program()) + ' ');
        QString instance = folder.filePath(unit);
        instance.replace(QStringLiteral("@."), QStringLiteral("@orders."));
        for (const QString& path : {folder.filePath(unit), instance}) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        }
        const QString analyze = tool(QStringLiteral("systemd-analyze"), QStringLiteral("systemd"));
        int exitCode = -1;
        const QString verified =
            run(analyze, {QStringLiteral("verify"), QStringLiteral("--man=no"), instance}, exitCode);
        QVERIFY2(exitCode == 0 && !verified.contains(unit.section(u'@', 0, 0)), qPrintable(verified));
        const QString security = run(
            analyze,
            {QStringLiteral("security"), QStringLiteral("--offline=true"), QStringLiteral("--threshold=20"), instance},
            exitCode);
        QVERIFY2(exitCode == 0, qPrintable(security.right(600)));
    }

    void thereAreThree() {
        QCOMPARE(
            QDir(packaging() + QStringLiteral("/systemd")).entryList({QStringLiteral("*@.service")}, QDir::Files),
            (QStringList{QStringLiteral("lockkeeper-exporter@.service"), QStringLiteral("lockkeeper-notify@.service"),
                         QStringLiteral("lockkeeper-recorder@.service")}));
    }

    // No engine for containers is needed: the shell reads the commands, and the program that is built is the one that
    // is started.
    void theContainerFile() {
        const QByteArray text = contentOf(packaging() + QStringLiteral("/Containerfile"));
        QByteArray joined = text;
        joined.replace("\\\n", " ");
        int runs = 0;
        bool hasUser = false;
        for (const QByteArray& line : joined.split('\n')) {
            if (line.startsWith("RUN ")) {
                ++runs;
                int exitCode = -1;
                const QString said =
                    run(tool(QStringLiteral("sh"), QStringLiteral("dash")),
                        {QStringLiteral("-n"), QStringLiteral("-c"), QString::fromUtf8(line.mid(4))}, exitCode);
                QVERIFY2(exitCode == 0, qPrintable(said));
            }
            if (line.startsWith("USER ")) {
                hasUser = true;
                QVERIFY(line != "USER root" && line != "USER 0");
            }
            if (line.startsWith("ENTRYPOINT "))
                QCOMPARE(line, QByteArray("ENTRYPOINT [\"/usr/bin/lockkeeper\"]"));
        }
        QVERIFY(hasUser);
        QVERIFY(runs > 0);
        int exitCode = -1;
        (void)run(places::program(), {QStringLiteral("--version")}, exitCode);
        QCOMPARE(exitCode, 0);
    }
};

LOCKKEEPER_TEST(TestServiceUnits, Guiless)

}  // namespace tst_serviceunits

#include "tst_serviceunits.moc"
