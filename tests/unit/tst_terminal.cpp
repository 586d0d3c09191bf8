// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace tst_terminal {

using namespace lockkeeper;
using namespace lockkeeper::app;
using namespace lockkeeper::test;

class TestTerminal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineOfTextCommandsNothing() {
        QCOMPARE(textForTerminal(QStringLiteral("ERR \x1b[2J") + QChar(0x9b) + QStringLiteral(" 锁")),
                 QByteArray("ERR \\x1b[2J\\u{9b} \xe9\x94\x81"));
    }

    void aLineOfJsonCommandsNothingAndSaysTheSame_data() { addAwkwardNames(); }
    void aLineOfJsonCommandsNothingAndSaysTheSame() {
        QFETCH(const QByteArray, name);
        const QJsonObject object{{QStringLiteral("text"), QString::fromUtf8(name)}};
        const QByteArray line = jsonForTerminal(QJsonDocument(object).toJson(QJsonDocument::Compact));
        QCOMPARE(QJsonDocument::fromJson(line).object(), object);
        for (const QChar character : QString::fromUtf8(line))
            QVERIFY2(character.isPrint() || character.isSurrogate() || QChar::isNonCharacter(character.unicode()),
                     line);
    }

    void plainJsonStaysAsItIs() {
        const QByteArray line = "{\"lock\":\"orders/{42}\xe9\x94\x81\"}";
        QCOMPARE(jsonForTerminal(line), line);
        QCOMPARE(jsonForTerminal("{\"a\":\"\x7f\xc2\x9b\xf3\xa0\x81\x81\"}"),
                 QByteArray("{\"a\":\"\\u007f\\u009b\\udb40\\udc41\"}"));
    }
};

LOCKKEEPER_TEST(TestTerminal, Appless)

}  // namespace tst_terminal

#include "tst_terminal.moc"
