// SPDX-License-Identifier: Apache-2.0
#include "app/tools/watchprinter.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_watchprinter {

using namespace lockkeeper;
using namespace lockkeeper::app;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

ClientRow clientWith(const QList<Diagnosis>& diagnoses, qsizetype held = 2) {
    ClientRow row;
    row.id = alice.client();
    row.held = held;
    row.diagnoses = diagnoses;
    return row;
}

Diagnosis silent(const char* firstLock) {
    StoppedLocks stopped;
    stopped.client = alice.client();
    stopped.count = 2;
    stopped.locks = {LockName(firstLock), LockName("z")};
    return {Certainty::Likely, ClientRenewsNothing{stopped, {}}};
}

Diagnosis broken() {
    return {Certainty::Likely, RenewalBroken{*stoppedLocks(silent("a")), {SignOfLife::Acquired, LockName("n"), {}}}};
}

MonitorBatch batchOf(const ClientRow& client) {
    MonitorBatch batch;
    batch.clients = {std::make_shared<const ClientRow>(client)};
    return batch;
}

}  // namespace

// The lines of watch.
class TestWatchPrinter : public QObject {
    Q_OBJECT

private:
    // The diagnoses in the lines about clients since the last call; "none" for an empty list.
    static QByteArrayList linesOf(WatchPrinter& printer, const ClientRow& client) {
        printer.add(batchOf(client));
        QByteArrayList lines;
        for (const QByteArray& line : printer.take().split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            if (object.value(QStringLiteral("event")).toString() != QStringLiteral("client"))
                continue;
            const QJsonArray diagnoses = object.value(QStringLiteral("diagnoses")).toArray();
            const QString word = diagnoses.at(0).toObject().value(QStringLiteral("diagnosis")).toString();
            lines << (diagnoses.isEmpty() ? QByteArray("none") : word.toLatin1());
        }
        return lines;
    }

private Q_SLOTS:
    void aClientHasALineWhenItsDiagnosisChanges() {
        WatchPrinter printer(WatchPrinter::Form::Json, noAlias);
        QCOMPARE(linesOf(printer, clientWith({})), QByteArrayList());
        QCOMPARE(linesOf(printer, clientWith({silent("a")})), QByteArrayList{"client_renews_nothing"});
        QCOMPARE(linesOf(printer, clientWith({silent("b")}, 3)), QByteArrayList());  // other evidence
        QCOMPARE(linesOf(printer, clientWith({broken()})), QByteArrayList{"renewal_broken"});
        QCOMPARE(linesOf(printer, clientWith({})), QByteArrayList{"none"});
        QCOMPARE(linesOf(printer, clientWith({})), QByteArrayList());
    }

    void aClientThatWasForgottenBeginsAgain() {
        WatchPrinter printer(WatchPrinter::Form::Json, noAlias);
        QCOMPARE(linesOf(printer, clientWith({silent("a")})).size(), 1);
        MonitorBatch gone;
        gone.removedClients = {alice.client()};
        printer.add(gone);
        QCOMPARE(linesOf(printer, clientWith({silent("a")})).size(), 1);
        MonitorBatch reset;
        reset.reset = true;
        printer.add(reset);
        QCOMPARE(linesOf(printer, clientWith({silent("a")})).size(), 1);
    }

    void asTextTheEventsOfTheLocksSayIt() {
        WatchPrinter printer(WatchPrinter::Form::Text, noAlias);
        printer.add(batchOf(clientWith({silent("a")})));
        QCOMPARE(printer.take(), QByteArray());
    }
};

LOCKKEEPER_TEST(TestWatchPrinter, Appless)

}  // namespace tst_watchprinter

#include "tst_watchprinter.moc"
