// SPDX-License-Identifier: Apache-2.0
#include "base/ids.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_ids {

using namespace lockkeeper;

namespace {

const QByteArray uuid = "5f0a3c8e-0000-4000-8000-00000000abCD";

}  // namespace

class TestIds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAHolder_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("thread");
        QTest::newRow("usual") << uuid + ":33" << qint64{33};
        QTest::newRow("zero") << uuid + ":0" << qint64{0};
        QTest::newRow("negative") << uuid + ":-5" << qint64{-5};
        QTest::newRow("greatest") << uuid + ":9223372036854775807" << std::numeric_limits<qint64>::max();
        QTest::newRow("least") << uuid + ":-9223372036854775808" << std::numeric_limits<qint64>::min();
        QTest::newRow("upper case") << uuid.toUpper() + ":1" << qint64{1};
    }
    void readsAHolder() {
        QFETCH(QByteArray, text);
        QFETCH(qint64, thread);
        const std::optional<HolderId> holder = HolderId::parse(text);
        QVERIFY(holder);
        QCOMPARE(holder->client().bytes(), text.left(36));
        QCOMPARE(static_cast<qint64>(holder->thread()), thread);
        QCOMPARE(holder->bytes(), text);
        QCOMPARE(holder->display(), QString::fromLatin1(text));
    }

    void whatOnlyLooksLikeAHolderIsNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a word") << QByteArray("mode");
        QTest::newRow("no thread") << uuid;
        QTest::newRow("empty thread") << uuid + ":";
        QTest::newRow("a writer") << uuid + ":33:write";
        QTest::newRow("a thread that is no number") << uuid + ":main";
        QTest::newRow("a blank") << uuid + ": 33";
        QTest::newRow("a blank behind") << uuid + ":33 ";
        QTest::newRow("a plus sign") << uuid + ":+33";
        QTest::newRow("leading zeros") << uuid + ":033";
        QTest::newRow("minus zero") << uuid + ":-0";
        QTest::newRow("a fraction") << uuid + ":3.5";
        QTest::newRow("hexadecimal") << uuid + ":0x21";
        QTest::newRow("too great") << uuid + ":9223372036854775808";
        QTest::newRow("too short") << uuid.chopped(1) + ":33";
        QTest::newRow("too long") << uuid + "0:33";
        QTest::newRow("no UUID: a letter") << QByteArray("5f0a3c8e-0000-4000-8000-00000000000g:33");
        QTest::newRow("no UUID: a dash elsewhere") << QByteArray("5f0a3c8e0-000-4000-8000-000000000001:33");
        QTest::newRow("no UUID: braces") << QByteArray("{f0a3c8e-0000-4000-8000-00000000001}:33");
        QTest::newRow("another separator") << uuid + ";33";
        QTest::newRow("a zero byte") << uuid + QByteArray(":3\0", 3);
    }
    void whatOnlyLooksLikeAHolderIsNone() {
        QFETCH(QByteArray, text);
        QVERIFY(!HolderId::parse(text));
    }

    void anotherProgramNamesItsHoldersOtherwise_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("a word and a number") << QByteArray("svc:1");
        QTest::newRow("two UUIDs") << uuid + ':' + uuid;
        QTest::newRow("a word as a thread") << uuid + ":main";
        QTest::newRow("a number beyond 64 bits") << uuid + ":9223372036854775808";
        QTest::newRow("as long as a UUID") << QByteArray(34, 'x') + ":1";
    }
    void anotherProgramNamesItsHoldersOtherwise() {
        QFETCH(const QByteArray, text);
        const std::optional<HolderId> holder = HolderId::parseAny(text);
        QVERIFY(holder);
        QVERIFY(holder->isOfOtherProgram());
        QCOMPARE(holder->bytes(), text);
        QCOMPARE(holder->client().bytes(), text);
        QVERIFY(*holder == HolderId(holder->client(), holder->thread()));  // as a recording keeps it
    }

    void notEverythingNamesAHolder() {
        for (const QByteArray& text :
             {QByteArray(), QByteArray("mode"), QByteArray(":1"), QByteArray("svc:"), QByteArray("svc: 1"),
              QByteArray("svc:\xff"), QByteArray("svc:\n"), QByteArray("svc:") + QByteArray(300, '1')})
            QVERIFY2(!HolderId::parseAny(text), text.constData());
        QVERIFY(!HolderId::parseAny(uuid + ":33:0011"));  // neither a transaction nor a holder
        const std::optional<HolderId> redissons = HolderId::parseAny(uuid + ":33");
        QVERIFY(redissons && !redissons->isOfOtherProgram());
        QVERIFY(!HolderId::parseAny(uuid + ":-9223372036854775808")->isOfOtherProgram());
    }

    void everyClientIsAnother() {
        QSet<QByteArray> seen;
        for (int i = 0; i < 100; ++i) {
            const ClientId id = ClientId::random();
            QVERIFY(HolderId::parse(id.bytes() + ":1"));
            seen += id.bytes();
        }
        QCOMPARE(seen.size(), 100);
    }

    void aNameIsShownForReading_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("shown");
        using Bytes = QByteArray;
        QTest::newRow("plain") << Bytes("LOCK:TASK:7 {a}") << "LOCK:TASK:7 {a}";
        QTest::newRow("empty") << Bytes() << "";
        QTest::newRow("Chinese") << Bytes("锁") << QStringLiteral("锁");
        QTest::newRow("beyond 16 bits") << Bytes("🔒x") << QStringLiteral("🔒x");
        QTest::newRow("right to left letters") << Bytes("שלום") << QStringLiteral("שלום");
        QTest::newRow("newline, tab, quote") << Bytes("a\nb\r\tc\"d") << "a\\nb\\r\\tc\"d";
        QTest::newRow("backslash") << Bytes("a\\nb") << "a\\\\nb";
        QTest::newRow("zero and escape") << Bytes("\0\x1b[31m", 6) << "\\x00\\x1b[31m";
        QTest::newRow("delete") << Bytes("\x7f") << "\\x7f";
        QTest::newRow("control beyond ASCII") << Bytes("\xc2\x85") << "\\u{85}";
        QTest::newRow("direction override") << Bytes(
                                                   "a\xe2\x80\xae"
                                                   "b")
                                            << "a\\u{202e}b";
        QTest::newRow("direction mark") << Bytes("\xe2\x80\x8e") << "\\u{200e}";
        QTest::newRow("zero width") << Bytes(
                                           "a\xe2\x80\x8b"
                                           "b")
                                    << "a\\u{200b}b";
        QTest::newRow("byte order mark") << Bytes("\xef\xbb\xbfx") << "\\u{feff}x";
        QTest::newRow("line separator") << Bytes("\xe2\x80\xa8") << "\\u{2028}";
        QTest::newRow("invisible tag") << Bytes("\xf3\xa0\x81\x81") << "\\u{e0041}";
        QTest::newRow("not UTF-8") << Bytes("a\xff\x80z\n") << "a\\xff\\x80z\\n";
        QTest::newRow("UTF-8 cut short") << Bytes("\xe9\x94") << "\\xe9\\x94";
        QTest::newRow("overlong") << Bytes("\xc0\xaf") << "\\xc0\\xaf";
        QTest::newRow("a surrogate") << Bytes("\xed\xa0\x80") << "\\xed\\xa0\\x80";
    }
    void aNameIsShownForReading() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, shown);
        const LockName name(bytes);
        QCOMPARE(name.display(), shown);
        QCOMPARE(name.bytes(), bytes);
    }

    void noTwoNamesAreShownAlike() {
        const QByteArrayList names{"\n",    "\\n",     "\\\\n",        "\x1b",      "\\x1b", "\xc2\x85", "\x85",
                                   "\\x85", "\\u{85}", "\xe2\x80\x8e", "\\u{200e}", "\\",    "\\\\"};
        QSet<QString> shown;
        for (const QByteArray& name : names)
            shown += LockName(name).display();
        QCOMPARE(shown.size(), names.size());
    }

    void namesAreComparedByteByByte() {
        QVERIFY(LockName("a") < LockName("b"));
        QVERIFY(LockName("a") < LockName("a "));
        QVERIFY(LockName("A") != LockName("a"));
        QVERIFY(LockName(QByteArray("a\0b", 3)) != LockName("a"));
        QCOMPARE(qHash(LockName("a")), qHash(LockName("a")));
    }

    void theEmptyNameIsOneName() {
        const LockName none;
        QVERIFY(none.isEmpty());
        QVERIFY(none.bytes().isEmpty());
        QVERIFY(none == LockName(""));
        QVERIFY(none != LockName("a"));
        QVERIFY(none < LockName("a"));
        QCOMPARE(qHash(none), qHash(LockName("")));
        LockName moved("a");
        const LockName taken = std::move(moved);
        QVERIFY(taken == LockName("a"));
        QVERIFY(moved == none);  // NOLINT(bugprone-use-after-move): it is the empty name then
    }

    void takesOnePointer() { QCOMPARE(sizeof(LockName), sizeof(void*)); }
};

LOCKKEEPER_TEST(TestIds, Guiless)

}  // namespace tst_ids

#include "tst_ids.moc"
