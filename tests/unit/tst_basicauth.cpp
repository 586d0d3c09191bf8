// SPDX-License-Identifier: Apache-2.0
#include "serve/http/basicauth.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_basicauth {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using serve::BasicAuth;
using Verdict = BasicAuth::Verdict;

class TestBasicAuth : public QObject {
    Q_OBJECT

private:
    static QByteArray header(const QByteArray& user, const QByteArray& password) {
        return "Basic " + (user + ':' + password).toBase64();
    }
    // Nothing if no verdict comes.
    static std::optional<Verdict> verdictOn(BasicAuth& auth, const QByteArray& authorization) {
        std::optional<Verdict> verdict;
        auth.check(authorization, [&verdict](Verdict given) { verdict = given; });
        (void)QTest::qWaitFor([&verdict] { return verdict.has_value(); }, 30000);
        return verdict;
    }
    // Nothing if a hash is needed for it.
    static std::optional<Verdict> verdictAtOnce(BasicAuth& auth, const QByteArray& authorization) {
        const auto verdict = std::make_shared<std::optional<Verdict>>();
        auth.check(authorization, [verdict](Verdict given) { *verdict = given; });
        return *verdict;
    }

private Q_SLOTS:
    void init() {
        m_auth = std::make_unique<BasicAuth>(m_clock);
        // The hash of "secret".
        m_auth->setUsers({{"prometheus", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}});
    }

    void decides_data() {
        QTest::addColumn<QByteArray>("authorization");
        QTest::addColumn<bool>("isAccepted");
        QTest::addRow("right") << header("prometheus", "secret") << true;
        QTest::addRow("wrong password") << header("prometheus", "Secret") << false;
        QTest::addRow("no password") << header("prometheus", "") << false;
        QTest::addRow("unknown user") << header("someone", "secret") << false;
        QTest::addRow("nothing") << QByteArray() << false;
        QTest::addRow("another scheme") << QByteArray("Bearer ") + QByteArray("prometheus:secret").toBase64() << false;
        QTest::addRow("small letters") << QByteArray("basic ") + QByteArray("prometheus:secret").toBase64() << true;
        QTest::addRow("no Base64") << QByteArray("Basic !!!") << false;
        QTest::addRow("no colon") << QByteArray("Basic ") + QByteArray("prometheus").toBase64() << false;
        QTest::addRow("a zero byte behind the password") << header("prometheus", QByteArray("secret\0x", 8)) << false;
        QTest::addRow("very long") << header("prometheus", QByteArray(100'000, 'a')) << false;
    }
    void decides() {
        QFETCH(QByteArray, authorization);
        QFETCH(bool, isAccepted);
        QCOMPARE(verdictOn(*m_auth, authorization), isAccepted ? Verdict::Accepted : Verdict::Refused);
    }

    void withoutUsersNothingIsRequired() {
        m_auth->setUsers({});
        QVERIFY(!m_auth->isRequired());
        QCOMPARE(verdictAtOnce(*m_auth, {}), Verdict::Accepted);
    }

    void remembersWhatWasAccepted() {
        const QByteArray right = header("prometheus", "secret");
        QCOMPARE(verdictAtOnce(*m_auth, right), std::nullopt);
        QCOMPARE(verdictOn(*m_auth, right), Verdict::Accepted);
        QCOMPARE(verdictAtOnce(*m_auth, right), Verdict::Accepted);
        QCOMPARE(verdictAtOnce(*m_auth, header("prometheus", "Secret")), std::nullopt);
        m_clock.advance(BasicAuth::remembered);
        QCOMPARE(verdictAtOnce(*m_auth, right), std::nullopt);
    }

    void otherUsersForgetIt() {
        const QByteArray right = header("prometheus", "secret");
        QCOMPARE(verdictOn(*m_auth, right), Verdict::Accepted);
        m_auth->setUsers({{"someone", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}});
        QCOMPARE(verdictOn(*m_auth, right), Verdict::Refused);
    }

    // Its cost is that of the users, so that the time does not say which there are.
    void anUnknownUserCostsAsMuch() {
        const QByteArray hash("abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW");
        QVERIFY(BasicAuth::hashOfNobody({{"a", "$2b$05$" + hash}}).startsWith("$2b$05$"));
        QVERIFY(BasicAuth::hashOfNobody({{"a", "$2b$05$" + hash}, {"b", "$2y$12$" + hash}}).startsWith("$2b$12$"));
    }

    // Others may fail all the time, and keep new pairs out: one that is used is remembered on, also over a reload.
    void whatIsUsedIsRememberedOn() {
        const serve::HashedUsers users{{"prometheus", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}};
        m_auth->setUsers(users);
        const QByteArray right = header("prometheus", "secret");
        QCOMPARE(verdictOn(*m_auth, right), Verdict::Accepted);
        for (int i = 0; i < 3; ++i) {
            m_clock.advance(BasicAuth::remembered - Milliseconds(1));
            QCOMPARE(verdictAtOnce(*m_auth, right), Verdict::Accepted);
        }
        m_auth->setUsers(users);
        QCOMPARE(verdictAtOnce(*m_auth, right), Verdict::Accepted);
        // Another hash of the same user.
        m_auth->setUsers({{"prometheus", "$2b$04$bbcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}});
        QCOMPARE(verdictAtOnce(*m_auth, right), std::nullopt);
    }

    // Failures are limited; a remembered pair is accepted meanwhile.
    void limitsFailures() {
        const QByteArray right = header("prometheus", "secret");
        QCOMPARE(verdictOn(*m_auth, right), Verdict::Accepted);
        for (int i = 0; i < BasicAuth::mostFailures; ++i)
            QCOMPARE(verdictOn(*m_auth, header("prometheus", QByteArray::number(i))), Verdict::Refused);
        QCOMPARE(verdictAtOnce(*m_auth, header("prometheus", "x")), Verdict::Busy);
        QCOMPARE(verdictAtOnce(*m_auth, right), Verdict::Accepted);
        m_clock.advance(BasicAuth::failureTime);
        QCOMPARE(verdictOn(*m_auth, header("prometheus", "x")), Verdict::Refused);
    }

    void limitsPendingAttempts() {
        for (int i = 0; i < BasicAuth::mostPending; ++i)
            QCOMPARE(verdictAtOnce(*m_auth, header("prometheus", QByteArray::number(i))), std::nullopt);
        QCOMPARE(verdictAtOnce(*m_auth, header("prometheus", "x")), Verdict::Busy);
        QTRY_COMPARE(verdictAtOnce(*m_auth, header("prometheus", "y")), std::nullopt);
    }

private:
    ManualClock m_clock;
    std::unique_ptr<BasicAuth> m_auth;
};

LOCKKEEPER_TEST(TestBasicAuth, Guiless)

}  // namespace tst_basicauth

#include "tst_basicauth.moc"
