// SPDX-License-Identifier: Apache-2.0
#include "recording/enumnumbers.h"
#include "support/guitestprogram.h"
#include "ui/words/causetext.h"
#include "ui/words/errortext.h"
#include "ui/words/watchingtext.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_causetext {

using namespace lockkeeper;
using namespace lockkeeper::ui;

namespace {

// All values of an enum up to its last one.
template <typename Enum>
QList<Enum> upTo(Enum last, Enum first = Enum()) {
    QList<Enum> all;
    for (int value = static_cast<int>(first); value <= static_cast<int>(last); ++value)
        all += static_cast<Enum>(value);
    return all;
}

void checkDistinct(const QStringList& texts) {
    QVERIFY(!texts.contains(QString()));
    QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
}

}  // namespace

// Every code that core can send has words of its own in the window.
class TestCauseText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void causes() {
        QStringList texts;
        const qint64 later = 200;
        for (qint64 number = 1; number < later; ++number) {
            if (const std::optional<AnyCause> cause = recording::causeOf(number))
                texts << causeText(*cause, {QStringLiteral("one"), QStringLiteral("two")});
        }
        QVERIFY(texts.size() > 100);
        checkDistinct(texts);
        QVERIFY(texts.filter(QRegularExpression(QStringLiteral("%[1*]"))).isEmpty());
        texts = {causeText(profile::RedissonCause::Variables, {QStringLiteral("one"), QStringLiteral("two")})};
        QVERIFY(texts.constFirst().endsWith(QStringLiteral(": one, two")));
        QVERIFY(causeText(Cause::None, {}).isEmpty());
    }
    void replies() {
        QStringList texts;
        for (const ReplyKind kind : upTo(ReplyKind::Other, ReplyKind::CommandDenied)) {
            texts << replyText(Error(ErrorCode::ServerReply, kind, QStringLiteral("NOWORD why")));
            QVERIFY2(texts.constLast().endsWith(QStringLiteral(" (NOWORD why).")), qPrintable(texts.constLast()));
        }
        checkDistinct(texts);
    }
    void failuresOfAnOperation() {
        for (const ErrorCode code : upTo(ErrorCode::Storage)) {
            const QString text = operationErrorText(Error(code, ReplyKind::Other, QStringLiteral("why")));
            QVERIFY2(text.endsWith(QStringLiteral(" (why).")), qPrintable(text));
        }
    }
    // "The request does not make sense" would leave the operator without an idea what to do.
    void aSecondHoldOfANonReentrantLock() {
        const QString text = operationErrorText(Error(ErrorCode::InvalidArgument, Cause::AlreadyHeld, {}));
        QVERIFY2(text.contains(QStringLiteral("this console holds it already")), qPrintable(text));
    }
    void failuresOfAConnection() {
        for (const ErrorCode code : upTo(ErrorCode::Storage)) {
            const Explanation explanation =
                connectionExplanation(Error(code, QStringLiteral("why")), QStringLiteral("h"));
            QVERIFY2(explanation.what.endsWith(QStringLiteral(" (why).")), qPrintable(explanation.what));
            QVERIFY(!explanation.todo.isEmpty());
        }
    }
    // A Unix socket has no port.
    void aUnixSocketThatIsNotThere() {
        const Explanation explanation =
            connectionExplanation(Error(ErrorCode::ConnectionRefused, QStringLiteral("No such file or directory")),
                                  QStringLiteral("/run/redis.sock"));
        QCOMPARE(explanation.what, QStringLiteral("No server listens at /run/redis.sock (No such file or directory)."));
        QCOMPARE(explanation.todo, QStringLiteral("Check the path, and that the server runs on this computer."));
    }
    void losses() {
        QStringList texts;
        for (const locks::LossReason why : upTo(locks::LossReason::TakenOver))
            texts << lossText(QStringLiteral("orders"), why);
        checkDistinct(texts);
        QCOMPARE(texts.filter(QStringLiteral("orders")).size(), texts.size());
    }
    void consequences() {
        QStringList texts;
        for (const monitor::Consequence consequence : upTo(monitor::Consequence::ChangesSeenLate))
            texts << denialTexts({{monitor::Denied::Command, QStringLiteral("X"), consequence, {}}}).first();
        checkDistinct(texts);
        QVERIFY(!texts.contains(QStringLiteral("X: ")));
    }
    void whatIsDenied() {
        QStringList texts;
        for (const monitor::Denied what : upTo(monitor::Denied::TrackingTable))
            texts << denialTexts({{what, QStringLiteral("X"), monitor::Consequence::LocksUnreadable, {}}}).first();
        checkDistinct(texts);
        QVERIFY(texts.filter(QRegularExpression(QStringLiteral("^:"))).isEmpty());
    }
    void blindSpots() {
        monitor::MonitorStats stats;
        stats.observation = monitor::ObservationMode::Polling;
        const QString polling = sourceToolTip(stats);
        stats.observation = monitor::ObservationMode::KeyspaceEvents;
        const QString events = sourceToolTip(stats);
        QCOMPARE(polling.split(QLatin1Char('\n')).size(), 3);  // the source, between polls, unknown names
        QCOMPARE(events.split(QLatin1Char('\n')).size(), 4);   // the source, fast changes, fair queues, unknown names
        stats.observationLimit.kind = monitor::ObservationLimit::Kind::NoResp3;
        QVERIFY(sourceToolTip(stats).contains(QStringLiteral("no RESP3")));
    }
    void eachWrite() {
        monitor::MonitorStats stats;
        stats.observation = monitor::ObservationMode::Tracking;
        QStringList texts;
        for (const monitor::WriteReports reports : upTo(monitor::WriteReports::NoResp3)) {
            stats.writeReports = reports;
            texts << sourceToolTip(stats);
        }
        checkDistinct(texts);
    }
    void aReasonIsTheServersOwnOrOurs() {
        QCOMPARE(reasonText(Error(ErrorCode::Timeout, QStringLiteral("system"))), QStringLiteral("system"));
        QCOMPARE(reasonText(Error(ErrorCode::ConnectionLost, Cause::NotConnected)), QStringLiteral("not connected"));
        QCOMPARE(reasonText(Error(ErrorCode::Timeout, QString())), QStringLiteral("no reason was given"));
    }
};

LOCKKEEPER_TEST(TestCauseText, Gui)

}  // namespace tst_causetext

#include "tst_causetext.moc"
