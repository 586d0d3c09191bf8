// SPDX-License-Identifier: Apache-2.0
#include "redis/command.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_command {

using namespace lockkeeper::redis;

namespace {

QByteArray encoded(const Command& command) {
    QByteArray bytes;
    command.appendTo(bytes);
    return bytes;
}

}  // namespace

class TestCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isEncodedAsAnArrayOfBulkStrings_data() {
        QTest::addColumn<QByteArrayList>("arguments");
        QTest::addColumn<QByteArray>("bytes");
        using Parts = QByteArrayList;
        using Bytes = QByteArray;
        QTest::newRow("none") << Parts{} << Bytes("*1\r\n$3\r\nSET\r\n");
        QTest::newRow("two") << Parts{"k", "v"} << Bytes("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
        QTest::newRow("empty") << Parts{""} << Bytes("*2\r\n$3\r\nSET\r\n$0\r\n\r\n");
        QTest::newRow("CR LF") << Parts{"\r\n$9\r\n"} << Bytes("*2\r\n$3\r\nSET\r\n$6\r\n\r\n$9\r\n\r\n");
        QTest::newRow("zeros") << Parts{Bytes("\0\0", 2)} << Bytes("*2\r\n$3\r\nSET\r\n$2\r\n\0\0\r\n", 21);
        QTest::newRow("long") << Parts{Bytes(1000, 'x')} << "*2\r\n$3\r\nSET\r\n$1000\r\n" + Bytes(1000, 'x') + "\r\n";
    }
    void isEncodedAsAnArrayOfBulkStrings() {
        QFETCH(QByteArrayList, arguments);
        QFETCH(QByteArray, bytes);
        QCOMPARE(encoded(Command("SET", arguments)), bytes);
        Command command("SET");
        for (const QByteArray& argument : arguments)
            command.arg(argument);
        QCOMPARE(encoded(command), bytes);
    }

    void isAppended() {
        QByteArray bytes = "before";
        Command("PING").appendTo(bytes);
        QCOMPARE(bytes, "before*1\r\n$4\r\nPING\r\n");
    }

    void numbersAreDecimal_data() {
        QTest::addColumn<qint64>("number");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zero") << qint64{0} << QByteArray("$1\r\n0\r\n");
        QTest::newRow("negative") << qint64{-12} << QByteArray("$3\r\n-12\r\n");
        QTest::newRow("least") << std::numeric_limits<qint64>::min() << QByteArray("$20\r\n-9223372036854775808\r\n");
    }
    void numbersAreDecimal() {
        QFETCH(qint64, number);
        QFETCH(QByteArray, bytes);
        QCOMPARE(encoded(Command("X").arg(number)), "*2\r\n$1\r\nX\r\n" + bytes);
    }

    void isNamedInUpperCase_data() {
        QTest::addColumn<QByteArrayList>("parts");
        QTest::addColumn<QByteArray>("name");
        using Parts = QByteArrayList;
        QTest::newRow("upper") << Parts{"GET", "k"} << QByteArray("GET");
        QTest::newRow("lower") << Parts{"hgetall", "k"} << QByteArray("HGETALL");
        QTest::newRow("container") << Parts{"client", "tracking", "on"} << QByteArray("CLIENT TRACKING");
        QTest::newRow("container alone") << Parts{"CONFIG"} << QByteArray("CONFIG");
        QTest::newRow("no container") << Parts{"GET", "tracking"} << QByteArray("GET");
    }
    void isNamedInUpperCase() {
        QFETCH(QByteArrayList, parts);
        QFETCH(QByteArray, name);
        QCOMPARE(Command(parts.first(), parts.mid(1)).name(), name);
    }
};

LOCKKEEPER_TEST(TestCommand, Guiless)

}  // namespace tst_command

#include "tst_command.moc"
