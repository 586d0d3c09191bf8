// SPDX-License-Identifier: Apache-2.0
#include "lab/run/labchange.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_labchange {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace std::chrono_literals;

namespace {

// A server with a lock that has this hold count and this TTL.
LabServer serverWith(const QByteArray& count, Milliseconds ttl, KeyReading reading = KeyReading::Now) {
    LabServer server;
    server.reading = reading;
    server.keys = {{"L", "hash", {{"a:1", count}}, ttl}};
    return server;
}

LabServer emptyServer(KeyReading reading = KeyReading::Now) {
    LabServer server;
    server.reading = reading;
    return server;
}

}  // namespace

class TestLabChange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneChangeIsNamed_data() {
        QTest::addColumn<LabServer>("shown");
        QTest::addColumn<LabServer>("now");
        QTest::addColumn<QByteArray>("what");
        const auto row = [](const char* name, const LabServer& shown, const LabServer& now, const char* what) {
            QTest::newRow(name) << shown << now << QByteArray(what);
        };
        const LabServer held = serverWith("1", 30s);
        const LabServer unread = serverWith("1", 30s, KeyReading::ClusterDown);
        row("nothing: time passes", held, serverWith("1", 29s), "");
        row("a key that is new", emptyServer(), held, "added");
        row("what it holds", held, serverWith("2", 30s), "changed");
        row("its lease", serverWith("1", 20s), held, "renewed");
        row("a key that has ended", held, emptyServer(), "gone");
        row("the Cluster goes down", held, unread, "cluster-down");
        row("it is down still", unread, unread, "");
        row("it is back", unread, held, "read-again");
        row("it is back, and a lease was renewed meanwhile", serverWith("1", 20s, KeyReading::ClusterDown), held,
            "read-again");
        row("it is back, and a key has ended meanwhile", unread, emptyServer(), "read-again");
        row("it could not be read once", held, serverWith("1", 30s, KeyReading::Failed), "");
    }
    void oneChangeIsNamed() {
        QFETCH(const LabServer, shown);
        QFETCH(const LabServer, now);
        QFETCH(const QByteArray, what);
        const std::optional<LabChange> change = changeIn({now}, {shown}, {shown});
        QCOMPARE(change ? change->what : QByteArray(), what);
    }
};

LOCKKEEPER_TEST(TestLabChange, Guiless)

}  // namespace tst_labchange

#include "tst_labchange.moc"
