// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/helptext.h"
#include "support/pseudotranslator.h"
#include "support/testprogram.h"
#include "ui/words/causetext.h"
#include "ui/words/programnames.h"

#include <QScopeGuard>
#include <QSet>
#include <QTest>

namespace tst_errorwords {

using namespace lockkeeper;
using namespace lockkeeper::ui;

// The words that the commands print for an error.
class TestErrorWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCauseIsTheProgramsOwnSentence() {
        QCOMPARE(errorClause(Error(ErrorCode::Timeout, Cause::NoConnectionInTime, {QStringLiteral("5")})),
                 QStringLiteral("no connection within 5 s"));
    }
    void aKeyWithoutAnyNameIsShownAsTheKey() {
        const ProgramNames names({QByteArrayLiteral("app:"), QByteArrayLiteral(":x")});
        QCOMPARE(names.shown(LockName("app:job:x")), QStringLiteral("job"));
        QCOMPARE(names.shown(LockName("app::x")), QStringLiteral("app::x"));
        QCOMPARE(names.keyNote(LockName("app::x")), QString());
        QCOMPARE(names.keyOf(LockName("app::x")), LockName("app::x"));
        QCOMPARE(names.keyOf(LockName("job")), LockName("app:job:x"));
    }
    void theSystemsWordsStayAsTheyAre() {
        QCOMPARE(errorClause(Error(ErrorCode::HostNotFound, QStringLiteral("Host not found"))),
                 QStringLiteral("Host not found"));
    }
    void anErrorReplyIsExplainedBeforeTheServersWords() {
        QCOMPARE(
            errorClause(Error(ErrorCode::Auth, ReplyKind::NoAuth, QStringLiteral("NOAUTH Authentication required."))),
            QStringLiteral("the server requires a password (NOAUTH Authentication required.)"));
    }
    void eachKindOfReplyHasWordsOfItsOwn() {
        QSet<QString> all;
        for (int kind = static_cast<int>(ReplyKind::CommandDenied); kind <= static_cast<int>(ReplyKind::Other);
             ++kind) {
            const QString words =
                errorClause(Error(ErrorCode::ServerReply, static_cast<ReplyKind>(kind), QStringLiteral("why")));
            QVERIFY2(words.endsWith(QStringLiteral(" (why)")) && words.size() > 10, qPrintable(words));
            QVERIFY2(!all.contains(words), qPrintable(words));
            all.insert(words);
        }
    }
    // Each kind of text that the command line prints for people: also if a source marks it for translation elsewhere.
    void allOfItIsTranslated() {
        test::PseudoTranslator translator;
        QVERIFY(QCoreApplication::installTranslator(&translator));
        const auto remove = qScopeGuard([&translator] { QCoreApplication::removeTranslator(&translator); });
        QCOMPARE(errorClause(Error(ErrorCode::Timeout, Cause::NoConnectionInTime, {QStringLiteral("5")})),
                 QStringLiteral("⟦nó cónnéctión within 5 s⟧"));
        QVERIFY(errorClause(Error(ErrorCode::Auth, ReplyKind::NoAuth, QStringLiteral("why")))
                    .contains(QStringLiteral("⟦thé sérvér réquirés á pásswórd⟧")));
        const QString help = app::helpText();
        QVERIFY2(help.contains(QStringLiteral("  --read-only         ⟦sénd nó cómmánd thát writés⟧\n")),
                 qPrintable(help));
        QVERIFY(help.contains(QStringLiteral("⟦áudit: 6 it cánnót bé réád")));
        const Result<app::Arguments> refused = app::Arguments::parse({QStringLiteral("list")}, {}, {});
        QVERIFY2(refused.error().text.startsWith(u'⟦'), qPrintable(refused.error().text));
    }
};

LOCKKEEPER_TEST(TestErrorWords, Guiless)

}  // namespace tst_errorwords

#include "tst_errorwords.moc"
