// SPDX-License-Identifier: Apache-2.0
#include "base/exacttext.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

namespace tst_exacttext {

using namespace lockkeeper;
using namespace lockkeeper::test;

// Which bytes may be written as text, and which as base64.
class TestExactText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textGivesItsBytesBack_data() { addAwkwardNames(); }
    void textGivesItsBytesBack() {
        QFETCH(const QByteArray, name);
        const std::optional<QString> decoded = decodedUtf8(name);
        QCOMPARE(decoded.has_value(), name.isValidUtf8());
        if (decoded)
            QCOMPARE(decoded->toUtf8(), name);
        const std::optional<QString> exact = exactText(name);
        if (exact) {
            QCOMPARE(exact->toUtf8(), name);
            // Another decoder must read the same.
            QCOMPARE(*exact, QString::fromUtf8(name));
        }
    }

    void onlyWhatEveryReaderKeepsIsText_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("isText");
        const auto row = [](const char* what, const QByteArray& bytes, bool isText) {
            QTest::newRow(what) << bytes << isText;
        };
        row("empty", "", true);
        row("ASCII", "orders/{42}", true);
        row("Chinese", "\xe9\x94\x81", true);
        row("NUL", QByteArray("a\0b", 3), true);
        row("byte order mark inside", "a\xef\xbb\xbf", true);
        row("replacement character", "\xef\xbf\xbd", true);
        row("byte order mark in front",
            "\xef\xbb\xbf"
            "a",
            false);
        row("U+FFFE", "a\xef\xbf\xbe", false);
        row("U+FFFF", "a\xef\xbf\xbf", false);
        row("U+FDD0", "a\xef\xb7\x90", false);
        row("U+10FFFF", "a\xf4\x8f\xbf\xbf", false);
        row("surrogate", "\xed\xa0\x80", false);
        row("overlong", "\xc0\xaf", false);
        row("cut short", "a\xe9\x94", false);
    }
    void onlyWhatEveryReaderKeepsIsText() {
        QFETCH(const QByteArray, bytes);
        QTEST(exactText(bytes).has_value(), "isText");
    }
};

LOCKKEEPER_TEST(TestExactText, Appless)

}  // namespace tst_exacttext

#include "tst_exacttext.moc"
