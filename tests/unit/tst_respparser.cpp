// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"
#include "support/testprogram.h"

#include <QTest>

#include <cmath>

namespace tst_respparser {

using namespace lockkeeper;
using namespace lockkeeper::redis;
using Type = RespValue::Type;

namespace {

RespValue valueOf(Type type, const QByteArray& bytes = {}, qint64 integer = 0, double real = 0) {
    RespValue value;
    value.type = type;
    value.bytes = bytes;
    value.integer = integer;
    value.real = real;
    return value;
}

RespValue aggregate(Type type, std::vector<RespValue> items) {
    RespValue value = RespValue::array(std::move(items));
    value.type = type;
    return value;
}

RespValue verbatim(const QByteArray& text) {
    return valueOf(Type::VerbatimString, text);
}

// Every reply until the parser needs more bytes; then the error's text, if there is one.
struct Taken {
    std::vector<RespValue> replies;
    QString error;
};

void takeAll(RespParser& parser, Taken& taken) {
    while (taken.error.isEmpty()) {
        Result<std::optional<RespValue>> next = parser.take();
        if (!next)
            taken.error = next.error().cause == Cause::None ? QStringLiteral("no cause") : next.error().text;
        else if (next.value())
            taken.replies.push_back(std::move(*next.value()));
        else
            return;
    }
}

Taken parse(const QByteArray& bytes, RespLimits limits = RespLimits()) {
    RespParser parser(limits);
    Taken taken;
    parser.feed(bytes);
    takeAll(parser, taken);
    return taken;
}

RespLimits limited(qint64 bytesPerString, qint64 itemsPerReply, qint64 bytesPerReply, int depth) {
    RespLimits limits;
    limits.bytesPerString = bytesPerString;
    limits.itemsPerReply = itemsPerReply;
    limits.bytesPerReply = bytesPerReply;
    limits.depth = depth;
    return limits;
}

}  // namespace

class TestRespParser : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryType_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<RespValue>("value");
        using Bytes = QByteArray;
        QTest::newRow("simple string") << Bytes("+OK\r\n") << RespValue::simple("OK");
        QTest::newRow("empty simple string") << Bytes("+\r\n") << RespValue::simple("");
        QTest::newRow("CR in a simple string") << Bytes("+a\rb\r\n") << RespValue::simple("a\rb");
        QTest::newRow("CR before CR LF") << Bytes("+a\r\r\n") << RespValue::simple("a\r");
        QTest::newRow("CR in an error") << Bytes("-ERR x\r y\r\n") << RespValue::error("ERR x\r y");
        QTest::newRow("error") << Bytes("-ERR no such thing\r\n") << RespValue::error("ERR no such thing");
        QTest::newRow("integer") << Bytes(":42\r\n") << RespValue::number(42);
        QTest::newRow("negative integer") << Bytes(":-7\r\n") << RespValue::number(-7);
        QTest::newRow("greatest integer")
            << Bytes(":9223372036854775807\r\n") << RespValue::number(std::numeric_limits<qint64>::max());
        QTest::newRow("least integer") << Bytes(":-9223372036854775808\r\n")
                                       << RespValue::number(std::numeric_limits<qint64>::min());
        QTest::newRow("bulk string") << Bytes("$5\r\nhello\r\n") << RespValue::bulk("hello");
        QTest::newRow("empty bulk string") << Bytes("$0\r\n\r\n") << RespValue::bulk("");
        QTest::newRow("bulk string with CR LF") << Bytes("$6\r\na\r\nb\r\n\r\n") << RespValue::bulk("a\r\nb\r\n");
        QTest::newRow("binary bulk string")
            << Bytes("$4\r\n\0\xff\x01\x80\r\n", 10) << RespValue::bulk(Bytes("\0\xff\x01\x80", 4));
        QTest::newRow("null bulk string") << Bytes("$-1\r\n") << RespValue();
        QTest::newRow("null array") << Bytes("*-1\r\n") << RespValue();
        QTest::newRow("null") << Bytes("_\r\n") << RespValue();
        QTest::newRow("true") << Bytes("#t\r\n") << valueOf(Type::Boolean, {}, 1);
        QTest::newRow("false") << Bytes("#f\r\n") << valueOf(Type::Boolean);
        QTest::newRow("double") << Bytes(",3.25\r\n") << valueOf(Type::Double, {}, 0, 3.25);
        QTest::newRow("double with exponent") << Bytes(",-1e-3\r\n") << valueOf(Type::Double, {}, 0, -1e-3);
        QTest::newRow("whole double") << Bytes(",10\r\n") << valueOf(Type::Double, {}, 0, 10);
        QTest::newRow("infinity") << Bytes(",inf\r\n") << valueOf(Type::Double, {}, 0, HUGE_VAL);
        QTest::newRow("negative infinity") << Bytes(",-inf\r\n") << valueOf(Type::Double, {}, 0, -HUGE_VAL);
        QTest::newRow("big number") << Bytes("(-3492890328409238509324850943850943825024385\r\n")
                                    << valueOf(Type::BigNumber, "-3492890328409238509324850943850943825024385");
        QTest::newRow("bulk error") << Bytes("!9\r\nERR a\r\nb!\r\n") << RespValue::error("ERR a\r\nb!");
        QTest::newRow("verbatim string") << Bytes("=15\r\ntxt:Some string\r\n") << verbatim("Some string");
        QTest::newRow("empty array") << Bytes("*0\r\n") << RespValue::array({});
        QTest::newRow("array") << Bytes("*3\r\n:1\r\n$1\r\na\r\n_\r\n")
                               << RespValue::array({RespValue::number(1), RespValue::bulk("a"), RespValue()});
        QTest::newRow("nested arrays") << Bytes("*2\r\n*2\r\n:1\r\n*0\r\n*1\r\n+x\r\n")
                                       << RespValue::array(
                                              {RespValue::array({RespValue::number(1), RespValue::array({})}),
                                               RespValue::array({RespValue::simple("x")})});
        QTest::newRow("map") << Bytes("%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n")
                             << aggregate(Type::Map, {RespValue::simple("a"), RespValue::number(1),
                                                      RespValue::simple("b"), RespValue::number(2)});
        QTest::newRow("empty map") << Bytes("%0\r\n") << aggregate(Type::Map, {});
        QTest::newRow("set") << Bytes("~2\r\n:1\r\n:2\r\n")
                             << aggregate(Type::Set, {RespValue::number(1), RespValue::number(2)});
        QTest::newRow("push") << Bytes(">2\r\n+invalidate\r\n*1\r\n$1\r\nL\r\n")
                              << aggregate(Type::Push,
                                           {RespValue::simple("invalidate"), RespValue::array({RespValue::bulk("L")})});
        QTest::newRow("attribute before a reply") << Bytes("|1\r\n+ttl\r\n:3600\r\n+OK\r\n") << RespValue::simple("OK");
        QTest::newRow("attribute inside an array") << Bytes("*2\r\n:1\r\n|1\r\n+ttl\r\n*1\r\n:9\r\n:2\r\n")
                                                   << RespValue::array({RespValue::number(1), RespValue::number(2)});
        QTest::newRow("attribute of an attribute")
            << Bytes("|1\r\n|1\r\n+a\r\n:1\r\n+k\r\n+v\r\n:5\r\n") << RespValue::number(5);
        QTest::newRow("empty attribute") << Bytes("|0\r\n:5\r\n") << RespValue::number(5);
        QTest::newRow("attribute before a map")
            << Bytes("|1\r\n+a\r\n%1\r\n+x\r\n+y\r\n%1\r\n+k\r\n+v\r\n")
            << aggregate(Type::Map, {RespValue::simple("k"), RespValue::simple("v")});
        QTest::newRow("a long line") << '+' + Bytes(60000, 'x') + "\r\n" << RespValue::simple(Bytes(60000, 'x'));
    }
    void readsEveryType() {
        QFETCH(QByteArray, bytes);
        QFETCH(RespValue, value);
        const Taken taken = parse(bytes);
        QCOMPARE(taken.error, QString());
        QCOMPARE(taken.replies.size(), size_t{1});
        QVERIFY(taken.replies.front() == value);
    }

    void notANumber() {
        for (const QByteArray bytes : {",nan\r\n", ",-nan\r\n"})
            QVERIFY(std::isnan(parse(bytes).replies.at(0).real));
    }

    void readsTheSameHoweverTheBytesCome_data() { readsEveryType_data(); }
    void readsTheSameHoweverTheBytesCome() {
        QFETCH(QByteArray, bytes);
        QFETCH(RespValue, value);
        const QByteArray stream = bytes + bytes;
        for (qsizetype split = 0; split <= std::min<qsizetype>(stream.size(), 400); ++split) {
            RespParser parser;
            Taken taken;
            parser.feed(QByteArrayView(stream).first(split));
            takeAll(parser, taken);
            parser.feed(QByteArrayView(stream).sliced(split));
            takeAll(parser, taken);
            QVERIFY2(taken.replies == (std::vector{value, value}),
                     qPrintable(QStringLiteral("split at %1").arg(split)));
            QCOMPARE(parser.buffered(), 0);
        }
        RespParser parser;
        Taken taken;
        for (const char byte : stream) {
            parser.feed(QByteArrayView(&byte, 1));
            takeAll(parser, taken);
        }
        QVERIFY(taken.replies == (std::vector{value, value}));
    }

    void anUnfinishedReplyIsNoReply_data() { readsEveryType_data(); }
    void anUnfinishedReplyIsNoReply() {
        QFETCH(QByteArray, bytes);
        for (qsizetype length = 0; length < std::min<qsizetype>(bytes.size(), 200); ++length) {
            const Taken taken = parse(bytes.first(length));
            QVERIFY(taken.replies.empty() && taken.error.isEmpty());
        }
    }

    void readsManyRepliesInARow() {
        const Taken taken = parse(QByteArray("$3\r\nabc\r\n:1\r\n").repeated(20000));
        QCOMPARE(taken.replies.size(), size_t{40000});
        QVERIFY(taken.replies.back() == RespValue::number(1));
    }

    void refusesWhatIsMalformed_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("words");
        using Bytes = QByteArray;
        QTest::newRow("no number") << Bytes(":abc\r\n") << "malformed reply ':abc'";
        QTest::newRow("empty number") << Bytes(":\r\n") << "malformed";
        QTest::newRow("number with a tail") << Bytes(":12 \r\n") << "malformed";
        QTest::newRow("number too great") << Bytes(":9223372036854775808\r\n") << "malformed";
        QTest::newRow("no double") << Bytes(",one\r\n") << "malformed";
        QTest::newRow("no boolean") << Bytes("#x\r\n") << "malformed";
        QTest::newRow("no null") << Bytes("_x\r\n") << "malformed";
        QTest::newRow("no big number") << Bytes("(12a\r\n") << "malformed";
        QTest::newRow("empty big number") << Bytes("(-\r\n") << "malformed";
        QTest::newRow("negative string length") << Bytes("$-2\r\n") << "malformed string length '-2'";
        QTest::newRow("string length that overflows")
            << Bytes("$99999999999999999999\r\n") << "malformed string length";
        QTest::newRow("string without length") << Bytes("$\r\n") << "malformed string length";
        QTest::newRow("streamed string") << Bytes("$?\r\n") << "malformed string length '?'";
        QTest::newRow("streamed array") << Bytes("*?\r\n") << "malformed aggregate length '?'";
        QTest::newRow("negative array length") << Bytes("*-2\r\n") << "malformed aggregate length '-2'";
        QTest::newRow("null map") << Bytes("%-1\r\n") << "malformed aggregate length";
        QTest::newRow("null set") << Bytes("~-1\r\n") << "malformed aggregate length";
        QTest::newRow("null push") << Bytes(">-1\r\n") << "malformed aggregate length";
        QTest::newRow("null attribute") << Bytes("|-1\r\n") << "malformed aggregate length";
        QTest::newRow("null error") << Bytes("!-1\r\n") << "malformed string length";
        QTest::newRow("null verbatim string") << Bytes("=-1\r\n") << "malformed string length";
        QTest::newRow("string longer than announced")
            << Bytes("$3\r\nabcdef\r\n") << "a string of 3 bytes does not end where it should";
        QTest::newRow("string that ends in LF") << Bytes("$3\r\nabc\n\n") << "does not end where it should";
        QTest::newRow("endless line") << '+' + Bytes(70000, 'x') << "a line of more than 65536 bytes";
        QTest::newRow("line too long") << '+' + Bytes(70000, 'x') + "\r\n"
                                       << "a line of more than 65536 bytes";
        QTest::newRow("malformed inside an array") << Bytes("*2\r\n:1\r\n:x\r\n") << "malformed reply ':x'";
    }
    void refusesWhatIsMalformed() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, words);
        const Taken taken = parse(bytes);
        QVERIFY(taken.replies.empty());
        QVERIFY2(taken.error.contains(words), qPrintable(taken.error));
    }

    void namesAnotherProtocol_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("error");
        using Bytes = QByteArray;
        const auto says = [](const char* words) {
            return QStringLiteral("this is not a Redis server: it says '%1'").arg(QString::fromLatin1(words));
        };
        QTest::newRow("HTTP") << Bytes("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n")
                              << says("HTTP/1.1 400 Bad Request..Server: x....");
        QTest::newRow("HTTP, its first byte") << Bytes("H") << says("H");
        QTest::newRow("SSH") << Bytes("SSH-2.0-OpenSSH_9.2p1\r\n") << says("SSH-2.0-OpenSSH_9.2p1..");
        QTest::newRow("TLS") << Bytes::fromHex("1503030002022a") << "the server speaks TLS: it is reached by rediss://";
        QTest::newRow("a long text") << Bytes(500, 'a') << says(Bytes(60, 'a').constData());
        QTest::newRow("what would break a line of a log") << Bytes("x\n\x1b[31m\xff") << says("x..[31m.");
    }
    void namesAnotherProtocol() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, error);
        QCOMPARE(parse(bytes).error, error);
    }

    void refusesWhatIsTooLargeByItsAnnouncement_data() {
        QTest::addColumn<RespLimits>("limits");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("words");
        using Bytes = QByteArray;
        const RespLimits usual;
        QTest::newRow("2 GB string") << usual << Bytes("$2147483648\r\n")
                                     << "a string of 2147483648 bytes was announced";
        QTest::newRow("the longest string") << usual << Bytes("$9223372036854775807\r\n") << "was announced";
        QTest::newRow("2 GB error") << usual << Bytes("!2147483648\r\n") << "was announced";
        QTest::newRow("the longest array") << usual << Bytes("*9223372036854775807\r\n")
                                           << "an aggregate of 9223372036854775807 entries was announced";
        QTest::newRow("the longest map") << usual << Bytes("%9223372036854775807\r\n") << "was announced";
        QTest::newRow("string") << limited(10, 10, 100, 4) << Bytes("$11\r\n") << "a string of 11 bytes was announced";
        QTest::newRow("array") << limited(10, 10, 100, 4) << Bytes("*11\r\n") << "an aggregate of 11 entries";
        QTest::newRow("map: two items an entry")
            << limited(10, 10, 100, 4) << Bytes("%6\r\n") << "an aggregate of 6 entries";
        QTest::newRow("items of nested arrays together")
            << limited(10, 10, 100, 4) << Bytes("*2\r\n*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n*4\r\n")
            << "an aggregate of 4 entries";
        QTest::newRow("bytes of strings together")
            << limited(10, 10, 25, 4) << Bytes("*3\r\n$10\r\n0123456789\r\n$10\r\n0123456789\r\n$10\r\n")
            << "a string of 10 bytes was announced";
        QTest::newRow("bytes of lines together")
            << limited(10, 10, 25, 4) << Bytes("*3\r\n+0123456789\r\n+0123456789\r\n+0123456789\r\n")
            << "a reply of more than 25 bytes";
        QTest::newRow("nesting") << limited(10, 10, 100, 4) << Bytes("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n")
                                 << "nested deeper than 4 levels";
        QTest::newRow("attributes are counted")
            << limited(10, 10, 100, 4)
            << Bytes("|5\r\n+k\r\n+v\r\n+k\r\n+v\r\n+k\r\n+v\r\n+k\r\n+v\r\n+k\r\n+v\r\n*1\r\n")
            << "an aggregate of 1 entries";
    }
    void refusesWhatIsTooLargeByItsAnnouncement() {
        QFETCH(RespLimits, limits);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, words);
        const Taken taken = parse(bytes, limits);
        QVERIFY(taken.replies.empty());
        QVERIFY2(taken.error.contains(words), qPrintable(taken.error));
    }

    void takesWhatIsJustAllowed_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("string") << QByteArray("$10\r\n0123456789\r\n");
        QTest::newRow("array") << "*10\r\n" + QByteArray(":1\r\n").repeated(10);
        QTest::newRow("map") << "%5\r\n" + QByteArray(":1\r\n").repeated(10);
        QTest::newRow("nesting") << QByteArray("*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n");
        QTest::newRow("bytes") << QByteArray("*2\r\n$10\r\n0123456789\r\n+0123456789\r\n");
    }
    void takesWhatIsJustAllowed() {
        QFETCH(QByteArray, bytes);
        const Taken taken = parse(bytes + bytes, limited(10, 10, 20, 4));  // each limit applies to one reply
        QCOMPARE(taken.error, QString());
        QCOMPARE(taken.replies.size(), size_t{2});
    }

    void staysInItsError() {
        RespParser parser;
        parser.feed("+good\r\n$x\r\n+never\r\n");
        QVERIFY(*parser.take().value() == RespValue::simple("good"));
        const Error first = parser.take().error();
        QCOMPARE(first.code, ErrorCode::Protocol);
        parser.feed("+more\r\n");
        QCOMPARE(parser.take().error(), first);
        QCOMPARE(parser.buffered(), 0);
    }

    void tellsWhatIsBuffered() {
        RespParser parser;
        parser.feed("+a\r\n$5\r\nab");
        QVERIFY(parser.take().value());
        QVERIFY(!parser.take().value());
        QCOMPARE(parser.buffered(), 6);
    }

    void describesValuesForMessages_data() {
        QTest::addColumn<RespValue>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("null") << RespValue() << "null";
        QTest::newRow("string") << RespValue::bulk("x") << "'x'";
        QTest::newRow("long string") << RespValue::bulk(QByteArray(200, 'x'))
                                     << QStringLiteral("'%1'").arg(QString(80, u'x'));
        QTest::newRow("integer") << RespValue::number(3) << "integer 3";
        QTest::newRow("error") << RespValue::error("ERR x") << "error 'ERR x'";
        QTest::newRow("array") << RespValue::array({RespValue()}) << "aggregate of 1";
        QTest::newRow("double") << valueOf(Type::Double, {}, 0, 1.5) << "double 1.5";
    }
    void describesValuesForMessages() {
        QFETCH(RespValue, value);
        QFETCH(QString, words);
        QCOMPARE(value.describe(), words);
    }

    void tellsTheFirstWordOfAnError() {
        QCOMPARE(RespValue::error("NOSCRIPT No matching script").errorPrefix(), "NOSCRIPT");
        QCOMPARE(RespValue::error("NOSCRIPT").errorPrefix(), "NOSCRIPT");
        QCOMPARE(RespValue::bulk("NOSCRIPT x").errorPrefix(), "");
    }

    // ---- lines of MONITOR ----

    void cutsLongLinesWhereThatIsWanted_data() {
        QTest::addColumn<qsizetype>("length");
        QTest::addColumn<qsizetype>("piece");
        for (const qsizetype length : {65534, 65535, 65536, 65537, 200000}) {
            for (const qsizetype piece : {1, 999, 65536, 300000})
                QTest::addRow("%lld bytes, %lld at a time", qlonglong(length), qlonglong(piece)) << length << piece;
        }
    }
    void cutsLongLinesWhereThatIsWanted() {
        QFETCH(qsizetype, length);
        QFETCH(qsizetype, piece);
        RespLimits limits;
        limits.longLines = RespLimits::LongLines::Cut;
        RespParser parser(limits);
        const QByteArray sent = '+' + QByteArray(length, 'x') + "\r\n+next\r\n";
        QByteArrayList got;
        for (qsizetype at = 0; at < sent.size(); at += piece) {
            parser.feed(QByteArrayView(sent).sliced(at, std::min(piece, sent.size() - at)));
            for (auto reply = parser.take(); reply.ok() && reply.value(); reply = parser.take())
                got += reply.value()->bytes;
            QVERIFY(parser.buffered() <= 65536 + 1);
        }
        QCOMPARE(got, (QByteArrayList{QByteArray(std::min<qsizetype>(length, 65535), 'x'), "next"}));
    }

    void aCarriageReturnWhereALineIsCutDoesNotEndIt_data() {
        QTest::addColumn<qsizetype>("piece");
        for (const qsizetype piece : {1, 999, 65536, 65537, 300000})
            QTest::addRow("%lld at a time", qlonglong(piece)) << piece;
    }
    void aCarriageReturnWhereALineIsCutDoesNotEndIt() {
        QFETCH(qsizetype, piece);
        RespLimits limits;
        limits.longLines = RespLimits::LongLines::Cut;
        RespParser parser(limits);
        const QByteArray kept(65535, 'x');
        const QByteArray sent = '+' + kept + "\rmore\r\n+next\r\n";
        QByteArrayList got;
        for (qsizetype at = 0; at < sent.size(); at += piece) {
            parser.feed(QByteArrayView(sent).sliced(at, std::min(piece, sent.size() - at)));
            for (auto reply = parser.take(); reply.ok() && reply.value(); reply = parser.take())
                got += reply.value()->bytes;
        }
        QCOMPARE(got, (QByteArrayList{kept, "next"}));
    }
};

LOCKKEEPER_TEST(TestRespParser, Guiless)

}  // namespace tst_respparser

#include "tst_respparser.moc"
