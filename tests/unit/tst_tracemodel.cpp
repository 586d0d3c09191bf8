// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/lockstore.h"
#include "recording/clienttrace.h"
#include "recording/monitortrace/tracetextreader.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

namespace tst_tracemodel {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace std::chrono_literals;

namespace {

const QDir scenarios(test::places::data() + QStringLiteral("/redisson-4.7.0"));
// Where clientTraceIn() begins: the text begins there, too.
constexpr ServerTime begunAt = 946'684'800s;

// As in clienttrace.cpp; a deadline in the file is later than the command.
QByteArray argumentOf(QString text, ServerTime at) {
    static const QRegularExpression client(QStringLiteral("<([A-E])>"));
    static const QRegularExpression deadline(QStringLiteral("^<now\\+(\\d{1,12})>$"));
    for (QRegularExpressionMatch match = client.match(text); match.hasMatch(); match = client.match(text))
        text.replace(match.captured(0),
                     match.captured(1).toLower().repeated(8) + QStringLiteral("-0000-4000-8000-000000000000"));
    const qint64 now = at.count() / 1000;
    if (const QRegularExpressionMatch match = deadline.match(text); match.hasMatch())
        return QByteArray::number(now + match.captured(1).toLongLong());
    return text == u"<now-ish>" ? QByteArray::number(now + 3000) : text.toUtf8();
}

QByteArray monitorLine(ServerTime at, const char* sender, const QByteArrayList& arguments) {
    QByteArray line = QByteArray::number(at.count() / 1'000'000) + '.' +
                      QByteArray::number(at.count() % 1'000'000).rightJustified(6, '0') + " [0 " + sender + ']';
    for (const QByteArray& argument : arguments)  // in the file other bytes are as MONITOR writes them
        line += " \"" + argument + '"';
    return line + '\n';
}

// What MONITOR would have printed of this scenario, whose steps ended at these times.
QByteArray monitorText(const QJsonArray& steps, const std::vector<ServerTime>& ends) {
    QByteArray text = monitorLine(begunAt, "1.2.3.4:5", {"PING"});
    ServerTime last = begunAt;
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const ServerTime begin = i == 0 ? begunAt : ends[static_cast<size_t>(i) - 1];
        const ServerTime end = ends[static_cast<size_t>(i)];
        for (const QJsonValue& effect : steps[i][u"effects"].toArray()) {
            const bool isOfScript = effect[u"in_script"].isArray();
            const QJsonArray words = effect[isOfScript ? u"in_script" : u"command"].toArray();
            const ServerTime at = begin + ServerTime(effect[u"at"].toInteger(1) * 1000);
            last = std::min(std::max(last + 1us, at), end);
            QByteArrayList arguments;
            for (const QJsonValue& word : words)
                arguments += argumentOf(word.toString(), last);
            text += monitorLine(last, isOfScript ? "lua" : "1.2.3.4:5", arguments);
        }
        text += monitorLine(end, "1.2.3.4:5", {"PING"});
        last = end;
    }
    return text;
}

// "L: exclusive aaaa...:33 x1, queue ..." for each lock that is held.
QByteArrayList stateOf(const LockStore& store) {
    QByteArrayList state;
    for (const LockName& name : store.names()) {
        const LockSnapshot lock = store.row(name)->lock;
        QByteArrayList holders;
        for (const Holder& holder : lock.holders)
            holders +=
                wordFor(holder.mode).toLatin1() + ' ' + holder.id.bytes() + " x" + QByteArray::number(holder.count);
        std::ranges::sort(holders);
        QByteArray queue;
        for (const FairWaiter& waiter : lock.fairQueue)
            queue += ' ' + waiter.id.bytes();
        if (lock.isHeld() || !queue.isEmpty())
            state += name.bytes() + ": " + holders.join(", ") + " queue" + queue;
    }
    std::ranges::sort(state);
    return state;
}

// The states at these times.
std::vector<QByteArrayList> statesAt(const std::vector<ServerTime>& times, const std::vector<Record>& records,
                                     SteadyTime begun) {
    LockStore store;
    std::vector<QByteArrayList> states;
    size_t next = 0;
    for (const ServerTime time : times) {
        for (; next < records.size() && records[next].at - begun <= time - begunAt; ++next) {
            if (const auto* input = std::get_if<StoreInput>(&records[next].entry))
                (void)store.feed(*input);
        }
        states.push_back(stateOf(store));
    }
    return states;
}

}  // namespace

class TestTraceModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The commands of the real client lead to the keys that the real server had then.
    void effectsLeadToTheKeysOfTheServer_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : scenarios.entryList({QStringLiteral("*.json")})) {
            const bool isOfOneServer = !file.startsWith(u"cluster") && !file.startsWith(u"sentinel");
            // That file does not have the times in the keys, which a faster multi lock needs.
            if (isOfOneServer && !file.startsWith(u"faster_multi"))
                QTest::newRow(qPrintable(file)) << file;
        }
    }
    void effectsLeadToTheKeysOfTheServer() {
        QFETCH(QString, file);
        QFile scenario(scenarios.filePath(file));
        QVERIFY(scenario.open(QIODevice::ReadOnly));
        const QByteArray json = scenario.readAll();
        const std::optional<ClientTrace> read = clientTraceIn(json);
        QVERIFY(read);
        std::vector<ServerTime> ends;
        for (const Record& record : read->records) {
            if (std::holds_alternative<BatchEnded>(record.entry))
                ends.push_back(begunAt + std::chrono::duration_cast<ServerTime>(record.at - read->info.begunSteady));
        }
        ends.erase(ends.begin());  // of the connection
        const QJsonArray steps = QJsonDocument::fromJson(json).object()[u"steps"].toArray();
        QCOMPARE(std::ssize(ends), steps.size());
        std::vector<Record> records;
        TraceTextReader reader({}, [&records](const Record& record, WallTime) { records.push_back(record); });
        reader.feed(monitorText(steps, ends));
        reader.end();
        const std::vector<QByteArrayList> expected = statesAt(ends, read->records, read->info.begunSteady);
        const std::vector<QByteArrayList> found = statesAt(ends, records, records.front().at);
        for (size_t i = 0; i < ends.size(); ++i)
            QVERIFY2(found[i] == expected[i], qPrintable(steps[static_cast<qsizetype>(i)][u"do"].toString() +
                                                         QStringLiteral("\nfound    %1\nexpected %2")
                                                             .arg(QString::fromUtf8(found[i].join("; ")),
                                                                  QString::fromUtf8(expected[i].join("; ")))));
    }
};

LOCKKEEPER_TEST(TestTraceModel, Guiless)

}  // namespace tst_tracemodel

#include "tst_tracemodel.moc"
