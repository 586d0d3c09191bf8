// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_connectionprofile {

using namespace lockkeeper;
using profile::ConnectionProfile;

class TestConnectionProfile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAnEndpoint_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("display");
        QTest::addColumn<bool>("tls");
        QTest::newRow("host alone") << "cache"
                                    << "cache:6379" << false;
        QTest::newRow("host and port") << "cache:7000"
                                       << "cache:7000" << false;
        QTest::newRow("redis") << "redis://cache"
                               << "cache:6379" << false;
        QTest::newRow("database") << "redis://cache:6380/3"
                                  << "cache:6380/3" << false;
        QTest::newRow("valkey") << "valkey://cache/1"
                                << "cache:6379/1" << false;
        QTest::newRow("tls") << "rediss://cache:6390"
                             << "cache:6390" << true;
        QTest::newRow("valkey tls") << "valkeys://cache"
                                    << "cache:6379" << true;
        QTest::newRow("IPv6") << "redis://[::1]:6379/2"
                              << "[::1]:6379/2" << false;
        QTest::newRow("unix") << "unix:///run/redis.sock"
                              << "/run/redis.sock" << false;
        QTest::newRow("redis+unix with database") << "redis+unix:///run/redis.sock?db=4"
                                                  << "/run/redis.sock/4" << false;
        QTest::newRow("path alone") << "/run/my redis.sock"
                                    << "/run/my redis.sock" << false;
        QTest::newRow("a master and replicas") << "redis://b:1,a/3"
                                               << "a:6379,b:1/3" << false;
        QTest::newRow("Sentinels") << "redis-sentinel://b:1,a/orders/3"
                                   << "a:26379,b:1/orders/3" << false;
        QTest::newRow("Sentinels with TLS") << "rediss-sentinel://[::1]/m"
                                            << "[::1]:26379/m" << true;
        QTest::newRow("through ssh") << "redis://cache/3?ssh=me@jump:2222"
                                     << "cache:6379/3 (ssh me@jump:2222)" << false;
        QTest::newRow("blanks around it") << "  redis://cache  "
                                          << "cache:6379" << false;
    }
    void readsAnEndpoint() {
        QFETCH(QString, url);
        QFETCH(QString, display);
        QFETCH(bool, tls);
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(url);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().text));
        QCOMPARE(profile->display(), display);
        QCOMPARE(profile->endpoint.security == redis::Security::Tls, tls);
    }

    // The secrets in the keychain and the history are kept under this id: an option must not lose them.
    void noOptionChangesTheIdOfAServerThatIsNotSaved_data() {
        QTest::addColumn<QString>("without");
        QTest::addColumn<QString>("with");
        const QString server = QStringLiteral("rediss://eve@h");
        for (const char* option : {"share=9", "match=orders:*", "prefix=orders:", "ca=/ca.pem",
                                   "cert=/me.pem&key=/me.key", "sni=other", "tls-min=1.3", "share=9&match=a&prefix=b"})
            QTest::newRow(option) << server << server + QLatin1Char('?') + QLatin1String(option);
        QTest::newRow("another scheme") << server << QStringLiteral("redis://eve@h");
        QTest::newRow("the password") << server << QStringLiteral("rediss://eve:s3cret@h");
        QTest::newRow("the default port and database") << server << QStringLiteral("rediss://eve@h:6379/0");
        const QString sentinels = QStringLiteral("redis-sentinel://a,b/m");
        QTest::newRow("of Sentinels") << sentinels
                                      << sentinels +
                                             QStringLiteral("?sentinel-user=eve&sentinel-tls=yes&map=10.0.0.5=h");
        QTest::newRow("the order of Sentinels") << sentinels << QStringLiteral("redis-sentinel://b,a/m");
        const QString cluster = QStringLiteral("redis-cluster://a");
        QTest::newRow("of a Cluster") << cluster << cluster + QStringLiteral("?publish=sharded&map=10.0.0.5=h");
        QTest::newRow("of a socket") << "unix:///run/redis.sock?db=4"
                                     << "redis+unix:///run/redis.sock?db=4&share=9";
        QTest::newRow("through ssh") << server + "?ssh=jump" << server + "?ssh=jump&share=9";
    }
    void noOptionChangesTheIdOfAServerThatIsNotSaved() {
        QFETCH(const QString, without);
        QFETCH(const QString, with);
        const Result<ConnectionProfile> plain = ConnectionProfile::fromUrl(without);
        const Result<ConnectionProfile> optioned = ConnectionProfile::fromUrl(with);
        QVERIFY(plain.ok());
        QVERIFY2(optioned.ok(), optioned.ok() ? "" : qPrintable(optioned.error().text));
        QCOMPARE(optioned->id, plain->id);
    }

    void readsCredentials_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("password");
        QTest::newRow("none") << "redis://h" << QByteArray() << QByteArray();
        QTest::newRow("both") << "redis://eve:s3cret@h" << QByteArray("eve") << QByteArray("s3cret");
        QTest::newRow("password alone") << "redis://:s3cret@h" << QByteArray() << QByteArray("s3cret");
        QTest::newRow("user alone") << "redis://eve@h" << QByteArray("eve") << QByteArray();
        QTest::newRow("escaped") << "redis://eve:p%40ss%3A%2F%23%25@h" << QByteArray("eve") << QByteArray("p@ss:/#%");
    }
    void readsCredentials() {
        QFETCH(QString, url);
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(url);
        QVERIFY(profile.ok());
        QTEST(profile->credentials.user, "user");
        QTEST(profile->credentials.password, "password");
    }

    void readsTlsOptions() {
        const Result<ConnectionProfile> profile =
            ConnectionProfile::fromUrl("rediss://h?ca=/etc/ca.pem&cert=/etc/me.pem&key=/etc/me.key&sni=redis.example");
        QVERIFY(profile.ok());
        QCOMPARE(profile->endpoint.caFile, "/etc/ca.pem");
        QCOMPARE(profile->endpoint.certificateFile, "/etc/me.pem");
        QCOMPARE(profile->endpoint.privateKeyFile, "/etc/me.key");
        QCOMPARE(profile->endpoint.serverName, "redis.example");
    }

    void readsWhichTlsIsAccepted() {
        const QByteArray one = QByteArray::fromHex(QByteArray("0123456789abcdef").repeated(4));
        const QByteArray two = QByteArray(32, '\xff');
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(
            QStringLiteral("rediss://h?tls-min=1.3&pin=%1&pin=%2")
                .arg(QString::fromLatin1(one.toHex()), QString::fromLatin1(two.toHex(':').toUpper())));
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().text));
        QCOMPARE(profile->endpoint.leastTls, redis::TlsVersion::Tls13);
        QCOMPARE(profile->endpoint.pinned, (QByteArrayList{one, two}));
        QCOMPARE(ConnectionProfile::fromUrl(profile->urlWithoutPassword())->endpoint, profile->endpoint);
        QCOMPARE(profile->id, ConnectionProfile::fromUrl("rediss://h")->id);
        QCOMPARE(ConnectionProfile::fromUrl("rediss://h?tls-min=1.2")->urlWithoutPassword(), "rediss://h:6379");
    }

    void readsSentinels() {
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(
            "redis-sentinel://eve:s3c,ret@s1:1,s2/my%2Fmaster?sentinel-user=guard&map=10.0.0.1:6379=localhost:7001");
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().text));
        QCOMPARE(profile->deployment.sentinels->sentinels, (QList<topology::Address>{{"s1", 1}, {"s2", 26379}}));
        QCOMPARE(profile->deployment.sentinels->masterName, "my/master");
        QCOMPARE(profile->deployment.sentinels->credentials.user, "guard");
        QCOMPARE(profile->credentials.password, "s3c,ret");
        QCOMPARE(profile->deployment.addresses.value({"10.0.0.1", 6379}), (topology::Address{"localhost", 7001}));
        QCOMPARE(profile->connectionOptions().role, redis::WantedRole::Master);
    }

    void mapsOneAddressOrAllPortsOfAHost_data() {
        QTest::addColumn<QString>("map");
        QTest::addColumn<topology::Address>("announced");
        QTest::addColumn<topology::Address>("reachable");
        const topology::Address unknown;
        const topology::Address announced{"a", 7};
        QTest::newRow("the address") << "map=a:7=b:8" << announced << topology::Address{"b", 8};
        QTest::newRow("another port") << "map=a:6=b:8" << announced << unknown;
        QTest::newRow("all ports") << "map=a=b" << announced << topology::Address{"b", 7};
        QTest::newRow("all ports, IPv6") << "map=a=[::1]" << announced << topology::Address{"::1", 7};
        QTest::newRow("the address counts before its host")
            << "map=a=b&map=a:7=c:8" << announced << topology::Address{"c", 8};
        QTest::newRow("one port is missing, and the usual one") << "map=a=b:8" << announced << unknown;
    }
    void mapsOneAddressOrAllPortsOfAHost() {
        QFETCH(const QString, map);
        QFETCH(const topology::Address, announced);
        QFETCH(const topology::Address, reachable);
        const ConnectionProfile profile = ConnectionProfile::fromUrl("redis-cluster://a?" + map).value();
        QCOMPARE(topology::reachableAddress(profile.deployment.addresses, announced).value_or(topology::Address()),
                 reachable);
    }

    void readsTheTlsOfTheSentinelsAlone() {
        const auto own = [](const char* options) {
            return ConnectionProfile::fromUrl(QStringLiteral("rediss-sentinel://s/m?ca=/ours.pem%1").arg(options))
                ->deployment.sentinels->tls;
        };
        QVERIFY2(!own(""), "those of the servers");
        QCOMPARE(own("&sentinel-tls=no")->security, redis::Security::Plain);
        const std::optional<redis::Endpoint> tls = own("&sentinel-ca=/theirs.pem&sentinel-cert=/c&sentinel-key=/k");
        QCOMPARE(tls->security, redis::Security::Tls);
        QCOMPARE(tls->caFile, "/theirs.pem");
        QCOMPARE(tls->certificateFile, "/c");
        QCOMPARE(tls->privateKeyFile, "/k");
        QCOMPARE(own("&sentinel-tls=yes")->caFile, QString());
    }

    void readsHowReleasesArePublishedInACluster() {
        QVERIFY(ConnectionProfile::fromUrl("redis-cluster://h")->deployment.publishing ==
                redis::Publishing::PlainAndSharded);
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl("redis-cluster://h?publish=sharded");
        QVERIFY(profile->deployment.publishing == redis::Publishing::Sharded);
        QCOMPARE(profile->id, ConnectionProfile::fromUrl("redis-cluster://h")->id);
    }

    void readsWhereToLookForLocks() {
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(
            "redis://h/1?match=orders/*&match=%5Bab%5D%26%3F&prefix=jobs:&prefix=x&share=20");
        QVERIFY(profile.ok());
        QCOMPARE(profile->discovery.matches, QByteArrayList({"orders/*", "[ab]&?"}));
        QCOMPARE(profile->discovery.prefixes, QByteArrayList({"jobs:", "x"}));
        QCOMPARE(profile->discovery.serverShare, 20);
    }

    void aPatternMayHaveAnyBytes_data() { test::addAwkwardNames(); }
    void aPatternMayHaveAnyBytes() {
        QFETCH(const QByteArray, name);
        const QString url = QStringLiteral("redis://h?match=%1").arg(QString::fromLatin1(name.toPercentEncoding()));
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(url);
        QVERIFY(profile.ok());
        QCOMPARE(profile->discovery.matches, QByteArrayList{name});
        QCOMPARE(ConnectionProfile::fromUrl(profile->urlWithoutPassword())->discovery.matches, QByteArrayList{name});
    }

    void refusesAndSaysWhy_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << "  "
                               << "empty";
        QTest::newRow("other scheme") << "http://secret:secret@h"
                                      << "http://";
        QTest::newRow("no host") << "redis://:secret@"
                                 << "URL";
        QTest::newRow("port out of range") << "redis://:secret@h:99999"
                                           << "URL";
        QTest::newRow("port zero") << "redis://:secret@h:0"
                                   << "port";
        QTest::newRow("port not a number") << "redis://:secret@h:six"
                                           << "URL";
        QTest::newRow("database not a number") << "redis://:secret@h/orders"
                                               << "number";
        QTest::newRow("database negative") << "redis://:secret@h/-1"
                                           << "number";
        QTest::newRow("db not a number") << "unix:///s?db=x"
                                         << "number";
        QTest::newRow("unix with two slashes") << "unix://run/redis.sock"
                                               << "three slashes";
        QTest::newRow("unknown option") << "rediss://:secret@h?insecure=1"
                                        << "'insecure'";
        QTest::newRow("TLS option without TLS") << "redis://:secret@h?ca=/x"
                                                << "'ca'";
        QTest::newRow("a pin without TLS") << "redis://:secret@h?pin=00"
                                           << "'pin'";
        QTest::newRow("a pin too short") << "rediss://:secret@h?pin=0011"
                                         << "64";
        QTest::newRow("a pin that is no number")
            << QStringLiteral("rediss://:secret@h?pin=%1").arg(QString(64, u'g')) << "64";
        QTest::newRow("an old TLS") << "rediss://:secret@h?tls-min=1.1"
                                    << "1.2 or 1.3";
        QTest::newRow("share not a percentage") << "redis://:secret@h?share=0"
                                                << "percentage";
        QTest::newRow("empty prefix") << "redis://:secret@h?prefix="
                                      << "'prefix'";
        QTest::newRow("a host without a name") << "redis://:secret@h,,i"
                                               << "host:port,host:port";
        QTest::newRow("no master") << "redis-sentinel://:secret@h"
                                   << "redis-sentinel://host:26379/mymaster";
        QTest::newRow("more than a database behind the master") << "redis-sentinel://:secret@h/m/1/2"
                                                                << "master";
        QTest::newRow("database of the master not a number") << "redis-sentinel://:secret@h/m/x"
                                                             << "number";
        QTest::newRow("a Sentinel without a name") << "redis-sentinel://:secret@h,/m"
                                                   << "host:port,host:port";
        QTest::newRow("another way of publishing") << "redis-cluster://:secret@h?publish=plain"
                                                   << "'publish=plain'";
        QTest::newRow("a way of publishing without a Cluster") << "redis://:secret@h?publish=sharded"
                                                               << "'publish'";
        QTest::newRow("a map that is none") << "redis-sentinel://:secret@h/m?map=a"
                                            << "map";
        QTest::newRow("Sentinel's option without Sentinel") << "redis://:secret@h?sentinel-user=x"
                                                            << "'sentinel-user'";
        QTest::newRow("Sentinels neither with TLS nor without") << "redis-sentinel://:secret@h/m?sentinel-tls=maybe"
                                                                << "'sentinel-tls=maybe'";
        QTest::newRow("an authority for Sentinels without TLS")
            << "redis-sentinel://:secret@h/m?sentinel-tls=no&sentinel-ca=/x"
            << "'sentinel-ca'";
        QTest::newRow("a jump host with a password") << "redis://:secret@h?ssh=me:secret@jump"
                                                     << "without a password";
        QTest::newRow("no jump host") << "redis://:secret@h?ssh="
                                      << "user@host";
        QTest::newRow("an option as jump host") << "redis://:secret@h?ssh=-oProxyCommand=x"
                                                << "user@host";
        QTest::newRow("a Unix socket through ssh") << "unix:///s?ssh=me@jump"
                                                   << "Unix socket";
        QTest::newRow("a watchdog that is too short") << "redis://:secret@h?watchdog=0.05"
                                                      << "watchdog is a number of seconds, from 0.1";
        QTest::newRow("a fair wait that is no number") << "redis://:secret@h?fair-wait=nan"
                                                       << "fair-wait";
        QTest::newRow("an empty prefix of names") << "redis://:secret@h?name-prefix="
                                                  << "'name-prefix'";
        QTest::newRow("perhaps waiting for replicas") << "redis://:secret@h?await-replicas=perhaps"
                                                      << "yes or no";
        QTest::newRow("no version of Redisson") << "redis://:secret@h?redisson=new"
                                                << "3.45.1";
        QTest::newRow("a path of a Cluster that is no database") << "redis-cluster://:secret@h/orders"
                                                                 << "database";
        QTest::newRow("unescaped hash in a password") << "redis://h#secret"
                                                      << "%23";
    }
    void refusesAndSaysWhy() {
        QFETCH(QString, url);
        QFETCH(QString, says);
        const Result<ConnectionProfile> profile = ConnectionProfile::fromUrl(url);
        QVERIFY(!profile.ok());
        QCOMPARE(profile.error().code, ErrorCode::InvalidArgument);
        QVERIFY2(profile.error().text.contains(says), qPrintable(profile.error().text));
        QVERIFY2(profile.error().text.contains("redis://host:6379/0"), "says what would be right");
        QVERIFY2(!profile.error().text.contains("secret"), "never quotes a password");
    }

    void theRememberedUrlLeadsBackWithoutThePassword_data() {
        QTest::addColumn<QString>("url");
        QTest::newRow("tcp") << "redis://eve:secret@cache:6380/3";
        QTest::newRow("tls") << "rediss://eve:secret@cache:6390/1?ca=/etc/ca%20x.pem&sni=redis.example";
        QTest::newRow("unix") << "unix:///run/redis.sock?db=2";
        QTest::newRow("IPv6") << "redis://[::1]:6379";
        QTest::newRow("ssh") << "rediss://cache/1?ca=/etc/ca.pem&ssh=me@jump:2222&match=a";
        QTest::newRow("ssh with IPv6") << "redis-sentinel://s/m?ssh=[fe80::1]:22";
        QTest::newRow("file names with signs of a query") << "rediss://h?ca=/a%26b%23%25.pem&key=/%EF%BB%BFk%3D1";
        QTest::newRow("user with a byte order mark") << "redis://%EF%BB%BFeve:secret@h";
        QTest::newRow("user with signs of a URL") << "redis://a%40b%2F%25:secret@h/2";
        QTest::newRow("discovery") << "redis://h?match=%5Ba%26b%5D%2B%25*&match=%E9%94%81*&prefix=a%23%3Db%3F&share=1";
        QTest::newRow("a master and replicas") << "rediss://eve:secret@a:1,b/2?ca=/x&map=c:3=d:4";
        QTest::newRow("Sentinels") << "redis-sentinel://eve:secret@a:1,b/m%25%2Fx/2?sentinel-user=g%26&share=5";
        QTest::newRow("Sentinels with TLS and addresses")
            << "rediss-sentinel://[::1]:5/m?ca=/x.pem&map=[fe80::1]:1=b:2&map=c:3=d:4";
        QTest::newRow("Sentinels with TLS of their own")
            << "redis-sentinel://a/m?sentinel-user=g&sentinel-ca=/x&sentinel-cert=/c&sentinel-key=/k&sentinel-sni=n"
               "&sentinel-tls-min=1.3&sentinel-pin=" +
                   QString(64, u'a');
        QTest::newRow("Sentinels without TLS") << "rediss-sentinel://a/m?ca=/x&sentinel-tls=no";
        QTest::newRow("a Cluster") << "rediss-cluster://eve:secret@a:1,b?ca=/x&map=c:3=d:4";
        QTest::newRow("a Cluster with hosts to map") << "redis-cluster://a:1?map=[fe80::1]=b&map=c=d&map=e:1=f:2";
        QTest::newRow("a Cluster without old clients") << "redis-cluster://eve:secret@a:1,b?publish=sharded";
        QTest::newRow("a Cluster with a database") << "redis-cluster://a:1,b/3";
        QTest::newRow("what the Java clients have set")
            << "redis://h/2?watchdog=12.5&fair-wait=60&name-prefix=shop:%26&name-suffix=%23x&redisson=3.40"
               "&await-replicas=no&replica-timeout=0.25";
        QTest::newRow("a prefix that is no text") << "redis://h?name-prefix=%ff%00";
        QTest::newRow("discovery over a unix socket") << "unix:///s?db=3&prefix=p%20q";
    }
    void theRememberedUrlLeadsBackWithoutThePassword() {
        QFETCH(QString, url);
        ConnectionProfile original = ConnectionProfile::fromUrl(url).value();
        const QString remembered = original.urlWithoutPassword();
        QVERIFY2(!remembered.contains("secret"), qPrintable(remembered));
        original.credentials.password.clear();
        QCOMPARE(ConnectionProfile::fromUrl(remembered).value(), original);
    }

    void oneNodeLeadsToItsCluster_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("cluster");
        QTest::newRow("plain") << "redis://h:7001"
                               << "redis-cluster://h:7001";
        QTest::newRow("with user, TLS and a jump host") << "rediss://u:p@h:7001?ca=/ca.pem&ssh=me@jump"
                                                        << "rediss-cluster://u@h:7001?ca=/ca.pem&ssh=me@jump";
        QTest::newRow("a socket") << "unix:///s"
                                  << "";
        QTest::newRow("several servers") << "redis://a,b"
                                         << "";
        QTest::newRow("a Cluster already") << "redis-cluster://h"
                                           << "";
    }
    void oneNodeLeadsToItsCluster() {
        QFETCH(QString, node);
        QFETCH(QString, cluster);
        const ConnectionProfile profile = ConnectionProfile::fromUrl(node).value();
        const std::optional<ConnectionProfile> whole = profile.asCluster();
        QCOMPARE(whole ? whole->urlWithoutPassword() : QString(), cluster);
        if (whole)
            QCOMPARE(whole->credentials, profile.credentials);
    }

    void hostPortDatabaseAndUserAreItsId_data() {
        QTest::addColumn<QString>("one");
        QTest::addColumn<QString>("other");
        QTest::addColumn<bool>("same");
        QTest::newRow("password") << "redis://eve:a@h/1"
                                  << "redis://eve:b@h/1" << true;
        QTest::newRow("options") << "redis://h?share=5&prefix=a"
                                 << "redis://h?share=6" << true;
        QTest::newRow("default port") << "redis://h"
                                      << "h:6379/0" << true;
        QTest::newRow("host") << "redis://h"
                              << "redis://i" << false;
        QTest::newRow("port") << "redis://h:1"
                              << "redis://h:2" << false;
        QTest::newRow("database") << "redis://h/1"
                                  << "redis://h/2" << false;
        QTest::newRow("user") << "redis://eve@h"
                              << "redis://h" << false;
        QTest::newRow("user like a placeholder") << "redis://%251@h/2"
                                                 << "redis://%252@h/1" << false;
        QTest::newRow("user with a byte order mark") << "redis://%EF%BB%BFeve@h"
                                                     << "redis://eve@h" << false;
        QTest::newRow("order of servers") << "redis://a,b"
                                          << "redis://b:6379,a" << true;
        QTest::newRow("order of Sentinels") << "redis-sentinel://a,b/m"
                                            << "redis-sentinel://b,a:26379/m/0" << true;
        QTest::newRow("master") << "redis-sentinel://a/m"
                                << "redis-sentinel://a/n" << false;
        QTest::newRow("jump host") << "redis://h?ssh=me@a"
                                   << "redis://h?ssh=me@b" << false;
        QTest::newRow("through ssh or not") << "redis://h?ssh=me@a"
                                            << "redis://h" << false;
        QTest::newRow("socket") << "unix:///a?db=1"
                                << "unix:///a?db=2" << false;
    }
    void hostPortDatabaseAndUserAreItsId() {
        QFETCH(QString, one);
        QFETCH(QString, other);
        QTEST(ConnectionProfile::fromUrl(one)->id == ConnectionProfile::fromUrl(other)->id, "same");
    }
};

LOCKKEEPER_TEST(TestConnectionProfile, Appless)

}  // namespace tst_connectionprofile

#include "tst_connectionprofile.moc"
