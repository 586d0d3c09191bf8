// SPDX-License-Identifier: Apache-2.0
#include "support/lockkindtest.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_fencedlock {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const test::LockShape fenced{"fenced",
                             test::Kind::Fenced,
                             u"fenced_acquire"_qs,
                             u"reentrant_release"_qs,
                             u"reentrant_settle"_qs,
                             u"reentrant_force"_qs,
                             "*1\r\n:42\r\n",
                             "redisson_lock__channel:{L}",
                             HoldMode::Exclusive};

}  // namespace

// The fenced lock: every acquire returns a new token.
class TestFencedLock : public test::LockKindTest {
    Q_OBJECT

public:
    TestFencedLock() : LockKindTest({fenced}) {}

private Q_SLOTS:
    void tellsItsToken() {
        open();
        const auto call = askForToken();
        QCOMPARE(sent(), QStringList{fenced.acquire});
        commands().reply(fenced.taken);
        QCOMPARE((*call)->value(), FencingToken{42});
    }

    void anAttemptTellsItsTokenToo() {
        open();
        const auto call = test::start(m_client->fencedLock(LockName("L")).tryLock(owner, Deadline::in(*m_clock, 0ms)));
        QCOMPARE(sent(), QStringList{fenced.acquire});
        commands().reply(fenced.taken);
        QCOMPARE((*call)->value().token, std::optional(FencingToken{42}));
    }

    void aTokenThatIsNoneIsRefused_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("nothing") << nil;
        QTest::newRow("an empty list") << QByteArray("*0\r\n");
        QTest::newRow("two") << QByteArray("*2\r\n:1\r\n:2\r\n");
        QTest::newRow("a word") << QByteArray("*1\r\n$1\r\nx\r\n");
    }
    void aTokenThatIsNoneIsRefused() {
        QFETCH(QByteArray, answer);
        open();
        const auto call = askForToken();
        QCOMPARE(sent(), QStringList{fenced.acquire});
        commands().reply(answer);
        QCOMPARE((*call)->error().code, ErrorCode::Protocol);
        QCOMPARE(held(fenced), 0);
    }

    // A token whose answer came too late belongs to no hold.
    void aTokenThatCameTooLateIsGivenBack() {
        open();
        const auto call = askForToken(m_stop.get_token());
        QCOMPARE(sent(), QStringList{fenced.acquire});
        m_stop.request_stop();
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
        commands().reply(fenced.taken);
        QCOMPARE(sent(), QStringList{fenced.settle});
        QCOMPARE(held(fenced), 0);
    }

private:
    [[nodiscard]] test::Running<Result<FencingToken>> askForToken(std::stop_token stop = {}) {
        return test::start(m_client->fencedLock(LockName("L")).lockAndGetToken(owner, std::nullopt, std::move(stop)));
    }
};

LOCKKEEPER_TEST(TestFencedLock, Guiless)

}  // namespace tst_fencedlock

#include "tst_fencedlock.moc"
