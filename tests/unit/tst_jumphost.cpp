// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "topology/ssh/jumphost.h"

#include <QTest>

namespace tst_jumphost {

using namespace lockkeeper;
using topology::JumpHost;

class TestJumpHost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAndWritesTheSame_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("user");
        QTest::addColumn<QString>("host");
        QTest::addColumn<quint16>("port");
        QTest::newRow("an alias of ssh's configuration") << "Jump_1"
                                                         << ""
                                                         << "Jump_1" << quint16(0);
        QTest::newRow("user") << "me@jump.example"
                              << "me"
                              << "jump.example" << quint16(0);
        QTest::newRow("port") << "jump:2222"
                              << ""
                              << "jump" << quint16(2222);
        QTest::newRow("all") << "me@jump:65535"
                             << "me"
                             << "jump" << quint16(65535);
        QTest::newRow("IPv4") << "me@10.0.0.1"
                              << "me"
                              << "10.0.0.1" << quint16(0);
        QTest::newRow("IPv6") << "me@[fe80::1]:22"
                              << "me"
                              << "fe80::1" << quint16(22);
        QTest::newRow("a user with an at sign") << "me@corp.example@jump"
                                                << "me@corp.example"
                                                << "jump" << quint16(0);
        QTest::newRow("a user of a domain") << "CORP\\me-too@jump"
                                            << "CORP\\me-too"
                                            << "jump" << quint16(0);
        QTest::newRow("a user with letters of any language") << "jürgen@jump"
                                                             << "jürgen"
                                                             << "jump" << quint16(0);
    }
    void readsAndWritesTheSame() {
        QFETCH(QString, text);
        const std::optional<JumpHost> jump = JumpHost::parse(text);
        QVERIFY(jump);
        QTEST(jump->user, "user");
        QTEST(jump->host, "host");
        QTEST(jump->port, "port");
        QCOMPARE(jump->display(), text);
    }

    void refusesWhatSshWouldTakeForSomethingElse_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 "@jump",
                                 "me@",
                                 "jump:",
                                 "jump:0",
                                 "jump:65536",
                                 "jump:ssh",
                                 "me:secret@jump",
                                 "-oProxyCommand=x",
                                 "me@-oProxyCommand=x",
                                 "-l@jump",
                                 "me@[jump]",
                                 "me@[::1",
                                 "::1",
                                 "me@jump x",
                                 "me jump",
                                 "a;b@jump",
                                 "me@$(x)",
                                 "`x`@jump",
                                 "me@jump|x",
                                 "me@%h",
                                 "me@jump\n",
                                 "me@jump/x",
                                 "jump,other"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void refusesWhatSshWouldTakeForSomethingElse() {
        QFETCH(QString, text);
        QVERIFY(!JumpHost::parse(text));
    }
};

LOCKKEEPER_TEST(TestJumpHost, Appless)

}  // namespace tst_jumphost

#include "tst_jumphost.moc"
