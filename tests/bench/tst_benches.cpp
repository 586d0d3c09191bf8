// SPDX-License-Identifier: Apache-2.0
#include <QProcess>
#include <QTest>

// Runs each bench with small numbers and checks what does not depend on the machine: exit code 0, which requires its
// exact counts, and that its table is complete.
class TestBenches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runsSmall_data();
    void runsSmall();
};

void TestBenches::runsSmall_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("figures");
    QTest::newRow("bench_watch") << QStringList{"--locks",     "200",  "--hot",     "20",  "--rate",       "200",
                                                "--change-ms", "2000", "--idle-ms", "500", "--renewal-ms", "1000",
                                                "--rounds",    "2",    "--share",   "20",  "--warm-up-ms", "500"}
                                 << QStringList{"CPU of watch without changes",
                                                "CPU of watch for a change / without",
                                                "change -> event out of watch, median / p99",
                                                "changes reported",
                                                "commands per renewal, all together",
                                                "commands besides"};
    QTest::newRow("bench_exporter") << QStringList{"--locks", "200",         "--hot", "20",        "--rate",
                                                   "200",     "--change-ms", "2000",  "--scrapes", "20"}
                                    << QStringList{"a scrape, median / p99", "CPU of the exporter / of watch",
                                                   "memory of the exporter", "releases counted",
                                                   "commands of the server, idle / with a scrape"};
    QTest::newRow("bench_hot") << QStringList{"--rate", "500", "--seconds", "3"}
                               << QStringList{"reads of it a second", "releases counted / the server's"};
    QTest::newRow("bench_look") << QStringList{"--reads", "128", "--rounds", "1"}
                                << QStringList{"plain: ours / that", "fair: ours / that", "shared: answered"};
    QTest::newRow("bench_nodes") << QStringList{"--locks",  "90", "--hot",       "30",   "--rate",    "100",
                                                "--rounds", "1",  "--change-ms", "1000", "--idle-ms", "1000"}
                                 << QStringList{"Cluster / one server, median", "SSH / one server, median",
                                                "most reads of a node in a second"};
    QTest::newRow("bench_failover") << QStringList{"--locks", "20", "--own", "3", "--rounds", "1"}
                                    << QStringList{"in order: +switch-master -> rows live again, median / most",
                                                   "killed: +switch-master -> own locks renewed, median / most"};
    QTest::newRow("bench_discovery") << QStringList{"--hashes",   "40000", "--locks-beside", "50", "--keys",   "20000",
                                                    "--locks",    "200",   "--rounds",       "1",  "--phases", "1",
                                                    "--phase-ms", "1800"}
                                     << QStringList{"non-locks read in the second sweep",
                                                    "keys in the server's tracking table", "later sweeps: ours / that",
                                                    "p99, scanning / idle, all phases together"};
    QTest::newRow("bench_sessions") << QStringList{"--sessions", "2", "--seconds", "12"}
                                    << QStringList{"delay of a renewal, beside the two",
                                                   "change -> event, beside the two", "locks lost"};
    QTest::newRow("bench_start") << QStringList{"--rounds", "3"}
                                 << QStringList{"lock URL x -- true", "lock / redis-cli, median"};
    QTest::newRow("bench_recording") << QStringList{"--locks", "200", "--hot", "20", "--rate", "200", "--seconds", "2"}
                                     << QStringList{"lines of the replay / of watch", "file for a change",
                                                    "life / replay"};
    QTest::newRow("bench_window, grouped, the overview in front")
        << QStringList{"--locks",  "500", "--rate",    "200", "--seconds",  "2",
                       "--starts", "1",   "--grouped", "1",   "--overview", "1"}
        << QStringList{"longest stall of the GUI, 200 locks changing", "rows in the table"};
    QTest::newRow("bench_window") << QStringList{"--locks", "500", "--rate", "200", "--seconds", "2", "--starts", "2"}
                                  << QStringList{"start of the program to its painted window",
                                                 "in one batch -> painted", "memory of the program",
                                                 "longest stall of the GUI, 200 locks changing", "rows in the table"};
    QTest::newRow("bench_page") << QStringList{"--locks", "200", "--hot", "20", "--rate", "200", "--seconds", "4"}
                                << QStringList{"changes of 20 locks", "its growth from then on"};
}

void TestBenches::runsSmall() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QStringList, figures);
    QProcess bench;
    bench.setProcessChannelMode(QProcess::MergedChannels);
    const QString program = QString::fromLatin1(QTest::currentDataTag()).section(QLatin1Char(','), 0, 0);
    bench.start(QCoreApplication::applicationDirPath() + QLatin1Char('/') + program, arguments);
    const bool finished = bench.waitForFinished(120000);
    const QString output = QString::fromUtf8(bench.readAll());
    QVERIFY2(finished && bench.exitStatus() == QProcess::NormalExit && bench.exitCode() == 0, qPrintable(output));
    for (const QString& figure : figures)
        QVERIFY2(output.contains(figure), qPrintable(figure + " is missing in\n" + output));
}

QTEST_GUILESS_MAIN(TestBenches)
#include "tst_benches.moc"
