// SPDX-License-Identifier: Apache-2.0
#include "redis/keypattern.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_keypattern {

using namespace lockkeeper::redis;

class TestKeyPattern : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matchesAsTheServerDoes_data() {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArrayList>("matching");
        QTest::addColumn<QByteArrayList>("others");
        const auto row = [](const char* name, const QByteArray& pattern, const QByteArrayList& matching,
                            const QByteArrayList& others) { QTest::newRow(name) << pattern << matching << others; };
        row("plain text", "orders", {"orders"}, {"order", "orders/", "Orders", ""});
        row("nothing", "", {""}, {"a"});
        row("everything", "*", {"", "a", "orders/{42}"}, {});
        row("a prefix", "orders/*", {"orders/", "orders/{42}", "orders/a/b"}, {"orders", "x/orders/"});
        row("a suffix", "*:lock", {":lock", "a:lock", "a:lock:lock"}, {"a:lock:", "lock"});
        row("two stars", "a*b*c", {"abc", "a12b34c", "abbcc"}, {"acb", "ab", "bc"});
        row("a star goes back", "*aab", {"aab", "aaab", "aabaab"}, {"aaba", "ab"});
        row("any one byte", "l?ck", {"lock", "luck"}, {"lck", "loock"});
        row("one of a set", "l[ou]ck", {"lock", "luck"}, {"lick", "lck"});
        row("one of a range", "job[0-9]", {"job0", "job9"}, {"job", "joba", "job10"});
        row("a range from above", "job[9-0]", {"job5"}, {"joba"});
        row("none of a set", "l[^ou]ck", {"lick", "l]ck"}, {"lock", "luck", "lck"});
        row("a bracket in a set", "a[\\]]b", {"a]b"}, {"ab", "a\\b"});
        row("a set never closed", "a[bc", {"ab", "ac"}, {"a", "a[bc"});
        row("an escaped star", "a\\*", {"a*"}, {"ab", "a\\*"});
        row("an escaped bracket", "a\\[b", {"a[b"}, {"ab"});
        row("a backslash at the end", "a\\", {"a\\"}, {"a"});
        row("bytes above ASCII", "[\xe0-\xff]*", {"\xe9\x94\x81"}, {"\xc3\xa4"});
        row("many stars", QByteArray("a*").repeated(30) + 'b', {QByteArray(30, 'a') + 'b'}, {QByteArray(5000, 'a')});
    }
    void matchesAsTheServerDoes() {
        QFETCH(const QByteArray, pattern);
        QFETCH(const QByteArrayList, matching);
        QFETCH(const QByteArrayList, others);
        for (const QByteArray& key : matching)
            QVERIFY2(matchesPattern(pattern, key), key.constData());
        for (const QByteArray& key : others)
            QVERIFY2(!matchesPattern(pattern, key), key.constData());
    }
};

LOCKKEEPER_TEST(TestKeyPattern, Appless)

}  // namespace tst_keypattern

#include "tst_keypattern.moc"
