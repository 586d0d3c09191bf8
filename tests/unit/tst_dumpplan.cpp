// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/dumpplan.h"
#include "jvm/fetch/fetchcause.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_dumpplan {

using namespace lockkeeper;
using namespace lockkeeper::jvm;
using profile::DumpSettings;

namespace {

const ClientPlace place{QHostAddress(QStringLiteral("10.0.0.7")), 53422};
const ClientPlace placeOfSix{QHostAddress(QStringLiteral("2001:db8::7")), 53422};

DumpSettings web(const QString& url) {
    DumpSettings settings;
    settings.url = url;
    return settings;
}

DumpSettings pod(const QString& name, const QString& space = {}, const QString& container = {}) {
    DumpSettings settings;
    settings.pod = name;
    settings.kubeNamespace = space;
    settings.container = container;
    return settings;
}

DumpSettings login(const QString& text) {
    DumpSettings settings;
    settings.login = text;
    return settings;
}

template <typename T>
bool isRefused(const Result<T>& plan, FetchCause cause) {
    return !plan && plan.error().code == ErrorCode::InvalidArgument && plan.error().cause == AnyCause(cause);
}

}  // namespace

// A plan is made only of what is safe to run, and is shown exactly as it runs.
class TestDumpPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsThePlaceOfAClient_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::addRow("IPv4") << "10.0.0.7:53422"
                              << "10.0.0.7" << 53422;
        QTest::addRow("IPv6") << "[2001:db8::7]:53422"
                              << "2001:db8::7" << 53422;
        QTest::addRow("a name") << "app-1:53422"
                                << "" << 0;
        QTest::addRow("an option") << "-oProxyCommand=id:53422"
                                   << "" << 0;
        QTest::addRow("another way to write an address") << "167772167:53422"
                                                         << "" << 0;
        QTest::addRow("a zone") << "[fe80::1%eth0]:53422"
                                << "" << 0;
        QTest::addRow("no port") << "10.0.0.7"
                                 << "" << 0;
        QTest::addRow("port 0") << "10.0.0.7:0"
                                << "" << 0;
        QTest::addRow("a port too high") << "10.0.0.7:70000"
                                         << "" << 0;
        QTest::addRow("a Unix socket") << "unix:/run/redis.sock"
                                       << "" << 0;
        QTest::addRow("a line end") << "10.0.0.7:53422\n"
                                    << "" << 0;
    }
    void readsThePlaceOfAClient() {
        QFETCH(QString, text);
        QFETCH(QString, host);
        const std::optional<ClientPlace> read = ClientPlace::parse(text);
        QCOMPARE(read.has_value(), !host.isEmpty());
        if (read) {
            QCOMPARE(read->host.toString(), host);
            QTEST(int(read->port), "port");
        }
    }

    void putsTheHostIntoTheUrl() {
        QCOMPARE(webDumpOf(web("https://{host}:8081/actuator/threaddump"), place)->url.toString(),
                 QStringLiteral("https://10.0.0.7:8081/actuator/threaddump"));
        QCOMPARE(webDumpOf(web("http://{host}/manage/threaddump"), placeOfSix)->url.toString(),
                 QStringLiteral("http://[2001:db8::7]/manage/threaddump"));
        QCOMPARE(webDumpOf(web("http://app.example:8081/threaddump?format=text"), std::nullopt)->url.toString(),
                 QStringLiteral("http://app.example:8081/threaddump?format=text"));
    }

    void refusesUrls_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<FetchCause>("cause");
        QTest::addRow("empty") << "" << FetchCause::UrlTemplate;
        QTest::addRow("a file") << "file:///etc/passwd" << FetchCause::UrlTemplate;
        QTest::addRow("a password") << "http://admin:secret@{host}/threaddump" << FetchCause::UrlTemplate;
        QTest::addRow("the host as a part of a name") << "http://{host}.example/threaddump" << FetchCause::UrlTemplate;
        QTest::addRow("the host in the path") << "http://app.example/{host}" << FetchCause::UrlTemplate;
        QTest::addRow("port 0") << "http://{host}:0/threaddump" << FetchCause::UrlTemplate;
        QTest::addRow("a port too high") << "http://{host}:70000/threaddump" << FetchCause::UrlTemplate;
        QTest::addRow("a line end") << "http://{host}/a\nb" << FetchCause::UrlTemplate;
        QTest::addRow("of the link") << "http://169.254.169.254/latest/meta-data" << FetchCause::ForbiddenAddress;
        QTest::addRow("of the link, IPv6") << "http://[fe80::1]/threaddump" << FetchCause::ForbiddenAddress;
        QTest::addRow("the same in IPv6") << "http://[::ffff:169.254.169.254]/" << FetchCause::ForbiddenAddress;
    }
    void refusesUrls() {
        QFETCH(QString, url);
        QFETCH(FetchCause, cause);
        QVERIFY(isRefused(webDumpOf(web(url), place), cause));
    }

    // A Redis server names the client's host, so it could name these.
    void refusesClientsAtForbiddenAddresses_data() {
        QTest::addColumn<QString>("address");
        for (const char* address : {"169.254.169.254", "100.100.100.200", "fe80::1", "::ffff:169.254.1.2", "0.0.0.0",
                                    "::", "64:ff9b::a9fe:a9fe", "::ffff:169.254.169.254", "2002:a9fe:a9fe::1",
                                    "::169.254.169.254", "fd00:ec2::254", "224.0.0.1", "255.255.255.255"})
            QTest::addRow("%s", address) << address;
    }
    void refusesClientsAtForbiddenAddresses() {
        QFETCH(QString, address);
        const ClientPlace forbidden{QHostAddress(address), 53422};
        QVERIFY(isRefused(webDumpOf(web("http://{host}/threaddump"), forbidden), FetchCause::ForbiddenAddress));
    }

    void needsTheClientsAddress() {
        QVERIFY(isRefused(webDumpOf(web("http://{host}/threaddump"), std::nullopt), FetchCause::HostMissing));
        QVERIFY(isRefused(processSearchOf({}, std::nullopt), FetchCause::HostMissing));
    }

    void sendsThePasswordOnlyToListedHosts() {
        DumpSettings settings;
        settings.hosts = {"10.0.0.7", "App.example", "2001:db8:0:0::7"};
        QVERIFY(isListed(settings, QUrl("http://10.0.0.7:8081/threaddump")));
        QVERIFY(isListed(settings, QUrl("http://app.example/threaddump")));
        QVERIFY(isListed(settings, QUrl("http://[2001:db8::7]/threaddump")));
        QVERIFY(!isListed(settings, QUrl("http://10.0.0.8/threaddump")));
        QVERIFY(!isListed(settings, QUrl("http://app.example.org/threaddump")));
    }

    void findsTheProcessByThePort() {
        QCOMPARE(commandOf(*processSearchOf({}, place)),
                 QStringList({"ssh", "-T", "-oClearAllForwardings=yes", "-oRemoteCommand=none", "-oControlMaster=no",
                              "-oConnectTimeout=15", "--", "10.0.0.7", "ss -Htnpe sport = :53422"}));
        DumpSettings settings = login("deploy@{host}:2222");
        settings.usesSudo = true;
        QCOMPARE(commandOf(*processSearchOf(settings, placeOfSix)).sliced(6),
                 QStringList({"-p", "2222", "-l", "deploy", "--", "2001:db8::7", "sudo -n ss -Htnpe sport = :53422"}));
    }

    void refusesLogins_data() {
        QTest::addColumn<QString>("text");
        QTest::addRow("an option") << "-oProxyCommand=id";
        QTest::addRow("an option as the user") << "-oProxyCommand=id@{host}";
        QTest::addRow("two words") << "deploy@{host} id";
        QTest::addRow("a password") << "deploy:secret@{host}";
    }
    void refusesLogins() {
        QFETCH(QString, text);
        QVERIFY(isRefused(processSearchOf(login(text), place), FetchCause::LoginTemplate));
    }

    void dumpsTheProcess() {
        ProcessSearch search = *processSearchOf({}, place);
        const RemoteProcess java{4711, "java", 1000};
        QCOMPARE(commandOf(*sshDumpOf(search, java)).sliced(6),
                 QStringList({"--", "10.0.0.7", "jcmd 4711 Thread.print -l"}));
        search.usesSudo = true;
        QCOMPARE(commandOf(*sshDumpOf(search, java)).sliced(6),
                 QStringList({"--", "10.0.0.7", "sudo -n -u '#1000' jcmd 4711 Thread.print -l"}));
    }

    // jcmd sends SIGQUIT, which ends other programs.
    void refusesAProcessThatIsNotJava() {
        QVERIFY(isRefused(sshDumpOf(*processSearchOf({}, place), {4711, "haproxy", 0}), FetchCause::NotJava));
    }

    void dumpsThePod() {
        QCOMPARE(commandOf(*podDumpOf(pod("orders-7d4b9c.0"))),
                 QStringList({"kubectl", "exec", "orders-7d4b9c.0", "--", "jcmd", "0", "Thread.print", "-l"}));
        QCOMPARE(commandOf(*podDumpOf(pod("orders-0", "shop", "app"))),
                 QStringList({"kubectl", "exec", "--namespace=shop", "--container=app", "orders-0", "--", "jcmd", "0",
                              "Thread.print", "-l"}));
    }

    void refusesPods_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("space");
        QTest::addRow("empty") << ""
                               << "";
        QTest::addRow("an option") << "--kubeconfig=/tmp/x"
                                   << "";
        QTest::addRow("another kind") << "deployment/orders"
                                      << "";
        QTest::addRow("capitals") << "Orders"
                                  << "";
        QTest::addRow("two words") << "orders 0"
                                   << "";
        QTest::addRow("a line end") << "orders\n"
                                    << "";
        QTest::addRow("too long") << QString(254, 'a') << "";
        QTest::addRow("a namespace with a point") << "orders"
                                                  << "a.b";
        QTest::addRow("a namespace too long") << "orders" << QString(64, 'a');
    }
    void refusesPods() {
        QFETCH(QString, name);
        QFETCH(QString, space);
        QVERIFY(isRefused(podDumpOf(pod(name, space)), FetchCause::PodName));
    }

    void writesALineForTheShell() {
        QCOMPARE(shellLine({"ssh", "--", "10.0.0.7", "jcmd 1 Thread.print -l"}),
                 QStringLiteral("ssh -- 10.0.0.7 'jcmd 1 Thread.print -l'"));
        QCOMPARE(shellLine({"a", "sudo -n -u '#0' b", ""}), QStringLiteral(R"(a 'sudo -n -u '\''#0'\'' b' '')"));
        const QStringList curl = commandOf(*webDumpOf(web("http://{host}/a?b=c&d=$(id)"), place), "admin");
        QVERIFY2(shellLine(curl).endsWith("--user admin -- 'http://10.0.0.7/a?b=c&d=$(id)'"),
                 qPrintable(shellLine(curl)));
    }

    // As iproute2 6.1 prints it.
    void readsProcesses_data() {
        QTest::addColumn<QByteArray>("printed");
        QTest::addColumn<QStringList>("found");
        const QByteArray end = " timer:(keepalive,1min,0) uid:1000 ino:3890890 sk:4 cgroup:/ <->\n";
        QTest::addRow("one") << QByteArray("ESTAB 0 0 10.0.0.7:53422 10.0.0.1:6379 users:((\"java\",pid=4711,fd=4))") +
                                    end
                             << QStringList{"4711 java 1000"};
        QTest::addRow("of root") << QByteArray(
                                        "ESTAB 0 0 [::ffff:10.0.0.7]:53422 [::ffff:10.0.0.1]:6379 "
                                        "users:((\"java\",pid=1,fd=4)) ino:1 sk:4 <->\n")
                                 << QStringList{"1 java 0"};
        QTest::addRow("two that share it, and one twice")
            << QByteArray(
                   "ESTAB 0 0 10.0.0.7:53422 10.0.0.1:6379 "
                   "users:((\"java\",pid=2,fd=4),(\"java\",pid=2,fd=5),(\"sh\",pid=3,fd=4))") +
                   end
            << QStringList{"2 java 1000", "3 sh 1000"};
        QTest::addRow("a name with quotes")
            << QByteArray("ESTAB 0 0 10.0.0.7:53422 10.0.0.1:6379 users:((\"a\",pid=9,b\",pid=2,fd=4))") + end
            << QStringList{"2 a\",pid=9,b 1000"};
        QTest::addRow("of another port")
            << QByteArray("ESTAB 0 0 10.0.0.7:3422 10.0.0.1:53422 users:((\"java\",pid=4711,fd=4))") + end
            << QStringList{};
        QTest::addRow("the port of another address of the machine")
            << QByteArray("ESTAB 0 0 172.17.0.1:53422 172.17.0.9:5432 users:((\"java\",pid=4711,fd=4))") + end
            << QStringList{};
        QTest::addRow("nothing") << QByteArray() << QStringList{};
        QTest::addRow("hidden") << QByteArray("ESTAB 0 0 10.0.0.7:53422 10.0.0.1:6379 uid:1000 ino:1 sk:4\n")
                                << QStringList{};
    }
    void readsProcesses() {
        QFETCH(QByteArray, printed);
        QFETCH(QStringList, found);
        const Result<QList<RemoteProcess>> processes = processesIn(printed, place);
        QStringList texts;
        if (processes)
            for (const RemoteProcess& process : *processes)
                texts << QStringLiteral("%1 %2 %3").arg(process.id).arg(process.name).arg(process.user);
        QCOMPARE(texts, found);
        if (!processes)
            QVERIFY(
                isRefused(processes, printed.contains("sk:4\n") ? FetchCause::ProcessHidden : FetchCause::NoSuchPort));
    }
};

LOCKKEEPER_TEST(TestDumpPlan, Appless)

}  // namespace tst_dumpplan

#include "tst_dumpplan.moc"
