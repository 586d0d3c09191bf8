// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "topology/ssh/sshcommand.h"

#include <QTest>

namespace tst_sshcommand {

using namespace lockkeeper;
using namespace lockkeeper::topology;

// The command line of ssh: nothing switches a check off, and nothing in an address is an option.
class TestSshCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMasterLogsInAndDoesNothingElse() {
        const QStringList arguments = sshMasterArguments({"me", "jump", 2222}, "/tmp/x/c");
        QCOMPARE(arguments,
                 (QStringList{"-M", "-N", "-T", "-S", "/tmp/x/c", "-oControlPersist=no", "-oClearAllForwardings=yes",
                              "-oRemoteCommand=none", "-oExitOnForwardFailure=yes", "-oServerAliveInterval=5",
                              "-oServerAliveCountMax=3", "-p", "2222", "-l", "me", "--", "jump"}));
    }
    void theConfigurationDecidesWhatIsNotGiven() {
        const QStringList arguments = sshMasterArguments({{}, "jump", 0}, "c");
        QVERIFY(!arguments.contains("-p") && !arguments.contains("-l"));
    }
    void noCheckIsSwitchedOff() {
        const QString arguments =
            (sshMasterArguments({"me", "jump", 22}, "c") + sshConnectionArguments({"me", "jump", 22}, "c", {}))
                .join(u' ');
        for (const char* option :
             {"StrictHostKeyChecking", "UserKnownHostsFile", "CheckHostIP", "BatchMode", "Authentication"})
            QVERIFY2(!arguments.contains(QLatin1String(option), Qt::CaseInsensitive), option);
    }
    void aConnectionUsesTheMasterOrNothing() {
        redis::Endpoint server;
        server.host = "fe80::1";
        server.port = 7000;
        QCOMPARE(sshConnectionArguments({"me", "jump", 0}, "/tmp/x/c", server),
                 (QStringList{"-S", "/tmp/x/c", "-F", "none", "-oProxyCommand=false", "-W", "[fe80::1]:7000", "-l",
                              "me", "--", "jump"}));
    }
    void aSessionUsesTheMasterOrNothing() {
        QCOMPARE(sshSessionArguments({"me", "jump", 22}, "/tmp/x/c"),
                 (QStringList{"-S", "/tmp/x/c", "-F", "none", "-oProxyCommand=false", "-T", "-p", "22", "-l", "me",
                              "--", "jump", "exit"}));
    }

    void wordsAreOneLine_data() {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << QByteArray() << "";
        QTest::newRow("a line") << QByteArray("Host key verification failed.\r\n") << "Host key verification failed.";
        QTest::newRow("lines") << QByteArray("channel 2: open failed\nStdio forwarding request failed: refused\n")
                               << "channel 2: open failed; Stdio forwarding request failed: refused";
        QTest::newRow("sentences in a frame")
            << QByteArray("@@@@@@@@\n@  WARNING: CHANGED!  @\n@@@@@@@@\nSOMEONE IS NASTY!\nAdd it to\n\n")
            << "WARNING: CHANGED! SOMEONE IS NASTY! Add it to";
        QTest::newRow("a banner that commands a terminal") << QByteArray("a\x1b[2J") << "a\\x1b[2J";
    }
    void wordsAreOneLine() {
        QFETCH(QByteArray, written);
        QTEST(sshWords(written), "words");
    }
};

LOCKKEEPER_TEST(TestSshCommand, Appless)

}  // namespace tst_sshcommand

#include "tst_sshcommand.moc"
