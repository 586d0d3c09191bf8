#include "base/safetext.h"
#include "redis/replyerrors.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::redis;

class TestReplyErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLongErrorIsBoundedAndKeepsItsMeaning() {
        const QByteArray user(1'000'000, 'u');
        const Error error =
            errorOf(RespValue::error("NOPERM User " + user + " has no permissions to run the 'get' command"));
        QVERIFY(error.text.size() < longestBoundedText + 30);
        QCOMPARE(error.code, ErrorCode::NotPermitted);
        QVERIFY(deniesCommand(error));
        const Error unknown = errorOf(RespValue::error("ERR unknown command 'x', with args " + user));
        QVERIFY(unknown.text.size() < longestBoundedText + 30);
        QVERIFY(isUnknownCommand(unknown));
    }
};

QTEST_APPLESS_MAIN(TestReplyErrors)
#include "tst_replyerrors.moc"
