// SPDX-License-Identifier: Apache-2.0
#include "base/safetext.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_safetext {

using namespace lockkeeper;

// Text of others before it is shown to a reader.
class TestSafeText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatATerminalObeysIsEscaped_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("safe");
        const auto row = [](const char* what, const QString& text, const char* safe) {
            QTest::newRow(what) << text << QString::fromUtf8(safe);
        };
        row("plain", QStringLiteral("ERR no 'such' key \\x1b"), "ERR no 'such' key \\x1b");
        row("letters", QStringLiteral("锁 🔒 é שלום"), "锁 🔒 é שלום");
        row("clears the screen", QStringLiteral("ERR \x1b[2J"), "ERR \\x1b[2J");
        row("line ends and tabs", QStringLiteral("a\r\n\tb"), "a\\r\\n\\tb");
        row("bell and delete", QStringLiteral("\a\x7f"), "\\x07\\x7f");
        row("NUL", QString(QChar::Null), "\\x00");
        row("a control sequence of 8 bits", QString(QChar(0x9b)) + QStringLiteral("2J"), "\\u{9b}2J");
        row("line separator", QString(QChar(0x2028)), "\\u{2028}");
        row("direction embedding", QString(QChar(0x202a)), "\\u{202a}");
        row("direction override", QString(QChar(0x202e)), "\\u{202e}");
        row("direction isolate", QString(QChar(0x2066)), "\\u{2066}");
        row("end of isolate", QString(QChar(0x2069)), "\\u{2069}");
        row("half a character", QString(QChar(0xd800)), "\xef\xbf\xbd");
    }
    void whatATerminalObeysIsEscaped() {
        QFETCH(const QString, text);
        QTEST(safeText(text), "safe");
        // Escaping twice has the effect of escaping once: a name in an error is escaped already.
        QCOMPARE(safeText(safeText(text)), safeText(text));
    }

    void noControlCharacterIsLeft() {
        for (char32_t character = 0; character < 0x3000; ++character) {
            const QString safe = safeText(QString::fromUcs4(&character, 1));
            for (const QChar one : safe)
                QVERIFY2(one.category() != QChar::Other_Control && one.category() != QChar::Other_Format,
                         qPrintable(QString::number(character, 16)));
        }
    }

    void aLongTextLosesItsMiddle() {
        const QString longest(longestBoundedText, u'x');
        QCOMPARE(bounded(longest), longest);
        const QString text =
            QStringLiteral("NOPERM ") + QString(1'000'000, u'x') + QStringLiteral(" run the 'get' command");
        const QString shown = bounded(text);
        QVERIFY(shown.size() < longestBoundedText + 30);
        QVERIFY(shown.startsWith(QStringLiteral("NOPERM x")));
        QVERIFY2(shown.endsWith(QStringLiteral("run the 'get' command (1000029 characters)")), qPrintable(shown));
    }

    void aCutLeavesNoHalfCharacter() {
        for (int shift = 0; shift < 4; ++shift) {
            const QString text = QString(shift, u'x') + QStringLiteral("🔒").repeated(longestBoundedText);
            QVERIFY(decodesToItself(bounded(text)));
            const LockName name(text.toUtf8());
            QVERIFY2(!boundedName(name).contains(u'\\'), qPrintable(boundedName(name)));
        }
    }

    void aLongNameLosesItsMiddleAndSaysItsLength() {
        const LockName longest(QByteArray(longestBoundedName, 'x'));
        QCOMPARE(boundedName(longest), longest.display());
        const QString shown = boundedName(LockName("head" + QByteArray(1'000'000, 'x') + "tail"));
        QVERIFY(shown.size() < longestBoundedName + 30);
        QVERIFY(shown.startsWith(QStringLiteral("headxx")));
        QVERIFY2(shown.endsWith(QStringLiteral("xxtail (1000008 bytes)")), qPrintable(shown));
        // Bytes that are no characters may be cut anywhere.
        QVERIFY(boundedName(LockName(QByteArray(1'000'000, '\x80'))).endsWith(QStringLiteral("\\x80 (1000000 bytes)")));
    }

private:
    static bool decodesToItself(const QString& text) { return QString::fromUtf8(text.toUtf8()) == text; }
};

LOCKKEEPER_TEST(TestSafeText, Appless)

}  // namespace tst_safetext

#include "tst_safetext.moc"
