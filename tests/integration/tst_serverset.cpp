// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/serverset.h"

#include "base/systemclock.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QScopeGuard>
#include <QTest>

namespace tst_serverset {

using namespace lockkeeper;
using namespace lockkeeper::lab;

namespace {

constexpr ServerNumber first{0};
constexpr ServerNumber second{1};

}  // namespace

// The servers of a laboratory while they find each other.
class TestServerSet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The second server forgets the first one, because it gets no answer from it.
    void aClusterFormsAlthoughAServerIsSilentAtFirst() {
        SystemClock clock;
        std::stop_source life;
        ServerSet servers(clock, QString(), life.get_token());
        const auto end = qScopeGuard([&life] { life.request_stop(); });
        const auto started = test::start(servers.start({ServersPlan::Form::Cluster, 3}));
        servers.isolate({first});
        QVERIFY(test::becomesTrue([&] { return asksToMeet(servers); }));
        QVERIFY(test::becomesTrue([&] { return !asksToMeet(servers); }));
        QVERIFY(!started->has_value());
        servers.isolate({});
        QVERIFY(test::becomesTrue([&] { return started->has_value(); }));
        QVERIFY2((*started)->ok(), qPrintable((*started)->ok() ? QString() : (*started)->error().text));
    }

private:
    // Whether the second server awaits the answer of the first one. Its own line is always in the list.
    static bool asksToMeet(const ServerSet& servers) {
        if (servers.count() < 3 || !servers.at(second).isAlive())
            return false;
        const auto nodes = test::waitFor(servers.at(second).ask({"CLUSTER", "NODES"}));
        return nodes && nodes->bytes.contains("handshake");
    }
};

LOCKKEEPER_TEST(TestServerSet, Guiless)

}  // namespace tst_serverset

#include "tst_serverset.moc"
