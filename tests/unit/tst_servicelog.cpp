// SPDX-License-Identifier: Apache-2.0
#include "serve/servicelog.h"
#include "serve/signature.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_servicelog {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;

class TestServiceLog : public QObject {
    Q_OBJECT

private:
    QByteArray lineOf(ServiceLog::Form form, const QString& value, LogLevel level = LogLevel::Info) {
        QByteArray written;
        const ServiceLog log(form, m_clock, [&written](const QByteArray& line) { written += line; });
        log.write(level, "connected", {{"target", value}});
        return written;
    }

    ManualClock m_clock;

private Q_SLOTS:
    void logfmt_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("field");
        QTest::newRow("word") << QStringLiteral("redis-a:6379/0") << QByteArray("target=redis-a:6379/0");
        QTest::newRow("empty") << QString() << QByteArray("target=\"\"");
        QTest::newRow("blank") << QStringLiteral("a b") << QByteArray("target=\"a b\"");
        QTest::newRow("quote") << QStringLiteral("a\"b") << QByteArray("target=\"a\\\"b\"");
        QTest::newRow("equals") << QStringLiteral("a=b") << QByteArray("target=\"a=b\"");
        QTest::newRow("line end") << QStringLiteral("a\nlevel=error") << QByteArray("target=\"a\\\\nlevel=error\"");
        QTest::newRow("Chinese") << QStringLiteral("你") << QByteArray("target=\"\xe4\xbd\xa0\"");
    }
    void logfmt() {
        QFETCH(const QString, value);
        QFETCH(const QByteArray, field);
        QCOMPARE(lineOf({LogForm::Logfmt, LogLevel::Info, LogReceiver::Journal}, value),
                 "<6>level=info event=connected " + field + '\n');
    }

    void json() {
        const QByteArray line = lineOf({LogForm::Json, LogLevel::Info, LogReceiver::Terminal}, QStringLiteral("a\"\n"));
        QCOMPARE(line.count('\n'), 1);
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        QCOMPARE(object.value(QStringLiteral("event")).toString(), QStringLiteral("connected"));
        QCOMPARE(object.value(QStringLiteral("target")).toString(), QStringLiteral("a\"\\n"));
        QVERIFY(object.value(QStringLiteral("time")).toString().endsWith(u'Z'));
    }

    void levels() {
        const ServiceLog::Form form{LogForm::Logfmt, LogLevel::Warning, LogReceiver::Journal};
        QVERIFY(lineOf(form, {}, LogLevel::Debug).isEmpty());
        QVERIFY(lineOf(form, {}, LogLevel::Info).isEmpty());
        QVERIFY(lineOf(form, {}, LogLevel::Warning).startsWith("<4>level=warning "));
        QVERIFY(lineOf(form, {}, LogLevel::Error).startsWith("<3>level=error "));
    }

    // Computed by `openssl dgst -sha256 -hmac`.
    void signatures() {
        const WallTime at{std::chrono::milliseconds(1'700'000'000'123)};
        QCOMPARE(signedTime(at), QByteArray("1700000000"));
        QCOMPARE(signatureOf("secret", at, "{}"),
                 QByteArray("v1=b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163"));
        QCOMPARE(dingTalkQuery("secret", at),
                 QByteArray("timestamp=1700000000123&sign=EuAwVSfePnVOq0cu6mnF3quJywHpp6mRkTQz01sPfuw%3D"));
        QCOMPARE(feishuSign("secret", at), QByteArray("fiWS2+gh28DOydAv7hzONH/mDn9+b1Y4Y5ivXWXy8vA="));
    }
};

LOCKKEEPER_TEST(TestServiceLog, Appless)

}  // namespace tst_servicelog

#include "tst_servicelog.moc"
