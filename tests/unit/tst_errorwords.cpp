// SPDX-License-Identifier: Apache-2.0
#include "app/errorwords.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_errorwords {

using namespace lockkeeper;
using namespace lockkeeper::app;

// The words that the commands print for an error.
class TestErrorWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCauseIsTheProgramsOwnSentence() {
        QCOMPARE(errorWords(Error(ErrorCode::Timeout, Cause::NoConnectionInTime, {QStringLiteral("5")})),
                 QStringLiteral("no connection within 5 s"));
    }
    void theSystemsWordsStayAsTheyAre() {
        QCOMPARE(errorWords(Error(ErrorCode::HostNotFound, QStringLiteral("Host not found"))),
                 QStringLiteral("Host not found"));
    }
    void anErrorReplyIsExplainedBeforeTheServersWords() {
        QCOMPARE(
            errorWords(Error(ErrorCode::Auth, ReplyKind::NoAuth, QStringLiteral("NOAUTH Authentication required."))),
            QStringLiteral("the server requires a password (NOAUTH Authentication required.)"));
    }
    void eachKindOfReplyHasWordsOfItsOwn() {
        QSet<QString> all;
        for (int kind = static_cast<int>(ReplyKind::CommandDenied); kind <= static_cast<int>(ReplyKind::Other);
             ++kind) {
            const QString words =
                errorWords(Error(ErrorCode::ServerReply, static_cast<ReplyKind>(kind), QStringLiteral("why")));
            QVERIFY2(words.endsWith(QStringLiteral(" (why)")) && words.size() > 10, qPrintable(words));
            QVERIFY2(!all.contains(words), qPrintable(words));
            all.insert(words);
        }
    }
};

LOCKKEEPER_TEST(TestErrorWords, Appless)

}  // namespace tst_errorwords

#include "tst_errorwords.moc"
