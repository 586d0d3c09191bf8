// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/configurationfiles.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/redissonconfig.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::profile;
using Kind = RedissonNote::Kind;
using topology::Address;

constexpr qsizetype largestFile = 1 << 18;

namespace {

// The keys and values as Redisson's manual and Config.toYAML() write them.
const QByteArray singleServer = R"(---
singleServerConfig:
  idleConnectionTimeout: 10000
  connectTimeout: 10000
  password: s3cret
  username: eve
  subscriptionsPerConnection: 5
  clientName: null
  address: "redis://127.0.0.1:6380"
  database: 3
threads: 16
codec: !<org.redisson.codec.Kryo5Codec> {}
transportMode: "NIO"
)";

const QByteArray masterSlave = R"(---
masterSlaveServersConfig:
  loadBalancer: !<org.redisson.connection.balancer.RoundRobinLoadBalancer> {}
  readMode: "SLAVE"
  slaveAddresses:
  - "redis://10.0.0.2:6381"
  - "redis://10.0.0.3:6382"
  masterAddress: "redis://10.0.0.1:6379"
  database: 1
)";

const QByteArray sentinels = R"(---
sentinelServersConfig:
  subscriptionMode: "SLAVE"
  password: data
  sentinelUsername: guard
  sentinelPassword: watch
  sentinelAddresses:
  - "redis://s1.example:26379"
  - "redis://s2.example"
  masterName: "mymaster"
  database: 2
  natMapper: !<org.redisson.api.HostPortNatMapper>
    hostsPortMap:
      "172.17.0.2:6379": "localhost:7001"
      "172.17.0.3:6379": "localhost:7002"
)";

const QByteArray cluster = R"(---
clusterServersConfig:
  failedSlaveNodeDetector: !<org.redisson.client.FailedConnectionDetector> {}
  nodeAddresses:
  - "rediss://n1.example:7000"
  - "rediss://n2.example:7001"
  scanInterval: 1000
  sslProtocols: ["TLSv1.3"]
  natMapper: !<org.redisson.api.DefaultNatMapper> {}
  nameMapper: !<org.redisson.api.DefaultNameMapper> {}
)";

const QByteArray replicated = R"(---
replicatedServersConfig:
  nodeAddresses:
    - valkey://a.example:6379
    - valkey://b.example:6380
)";

RedissonVariables noVariables() {
    return [](const QString&) { return std::optional<QString>(); };
}

Result<RedissonConnection> read(const QByteArray& file) {
    return redissonConnection(file, noVariables());
}

// The fault of a configuration that was refused, for QVERIFY2.
QByteArray faultOf(const Result<RedissonConnection>& connection) {
    return connection ? QByteArray() : connection.error().text.toUtf8();
}

QStringList argumentsOf(const RedissonConnection& connection, Kind kind) {
    for (const RedissonNote& note : connection.notes) {
        if (note.kind == kind)
            return note.arguments;
    }
    return {};
}

QByteArray singleWith(const QByteArray& settings) {
    return "singleServerConfig:\n  address: redis://h:1\n" + settings;
}

}  // namespace

// Configuration files of Redisson: the profiles that they give, and what is refused.
class TestRedissonConfig : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachModeHasItsServers_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("servers");
        QTest::newRow("one server") << singleServer << "127.0.0.1:6380/3";
        QTest::newRow("a master and its replicas") << masterSlave << "10.0.0.1:6379,10.0.0.2:6381,10.0.0.3:6382/1";
        QTest::newRow("Sentinels") << sentinels << "s1.example:26379,s2.example:26379/mymaster/2";
        QTest::newRow("replicated") << replicated << "a.example:6379,b.example:6380";
        QTest::newRow("replicated, only one known")
            << QByteArray("replicatedServersConfig:\n  nodeAddresses: [\"redis://a:1\"]\n") << "a:1";
        QTest::newRow("a list that is one text")
            << QByteArray("replicatedServersConfig:\n  nodeAddresses: redis://a:1\n") << "a:1";
        QTest::newRow("a Unix socket") << QByteArray("singleServerConfig:\n  address: redis+uds:///run/redis.sock\n")
                                       << "/run/redis.sock";
        QTest::newRow("IPv6") << QByteArray("singleServerConfig:\n  address: \"redis://[::1]:7000\"\n") << "[::1]:7000";
        QTest::newRow("Windows line ends")
            << QByteArray("singleServerConfig:\r\n  address: \"redis://h:1\"\r\n") << "h:1";
        QTest::newRow("JSON") << QByteArray(
                                     "{\n\t\"singleServerConfig\":{\"address\":\"redis:\\/\\/h:1\",\"database\":5},\n"
                                     "\t\"codec\":{\"class\":\"org.redisson.codec.Kryo5Codec\"}\n}")
                              << "h:1/5";
    }
    void eachModeHasItsServers() {
        QFETCH(QByteArray, file);
        const auto found = read(file);
        QVERIFY2(found.ok(), faultOf(found));
        QTEST(found->profile.display(), "servers");
        QCOMPARE(found->profile.id, found->profile.addressId());
        QCOMPARE(ConnectionProfile::fromUrl(found->profile.urlWithoutPassword())->display(), found->profile.display());
    }

    void aClusterHasItsNodes() {
        const auto found = read(cluster);
        QVERIFY2(found.ok(), faultOf(found));
        QCOMPARE(found->profile.deployment.cluster, (QList<Address>{{"n1.example", 7000}, {"n2.example", 7001}}));
        QCOMPARE(found->profile.endpoint.security, redis::Security::Tls);
        QCOMPARE(found->profile.endpoint.leastTls, redis::TlsVersion::Tls13);
        QVERIFY2(found->notes.isEmpty(), "what is the Java client's own is not mentioned");
    }

    void passwordsAreThoseOfTheFile() {
        const auto one = read(singleServer);
        QCOMPARE(one->profile.credentials, (redis::Credentials{"eve", "s3cret"}));
        QVERIFY(!one->profile.urlWithoutPassword().contains("s3cret"));
        const auto watched = read(sentinels);
        QCOMPARE(watched->profile.credentials, (redis::Credentials{{}, "data"}));
        QCOMPARE(watched->profile.deployment.sentinels->credentials, (redis::Credentials{"guard", "watch"}));
        const auto inAddress = read("singleServerConfig: {address: 'redis://eve:p%40ss@h:1'}");
        QCOMPARE(inAddress->profile.credentials, (redis::Credentials{"eve", "p@ss"}));
        const auto ofTheWhole = read("password: top\n" + singleWith({}));
        QCOMPARE(ofTheWhole->profile.credentials.password, "top");
    }

    void announcedAddressesAreMapped() {
        const topology::AddressMap expected{{{"172.17.0.2", 6379}, {"localhost", 7001}},
                                            {{"172.17.0.3", 6379}, {"localhost", 7002}}};
        QCOMPARE(read(sentinels)->profile.deployment.addresses, expected);
        const auto json = read(
            "{\"replicatedServersConfig\": {\"nodeAddresses\": [\"redis://a:1\", \"redis://b:1\"],"
            "\"natMapper\": {\"class\": \"org.redisson.api.HostPortNatMapper\","
            "\"hostsPortMap\": {\"a:1\": \"c:2\"}}}}");
        QVERIFY2(json.ok(), faultOf(json));
        QCOMPARE(json->profile.deployment.addresses.value({"a", 1}), (Address{"c", 2}));
        const auto hosts = read(
            "clusterServersConfig:\n  nodeAddresses: ['redis://a:1']\n"
            "  natMapper: !<org.redisson.api.HostNatMapper> {hostsMap: {a: b}}\n");
        QVERIFY2(hosts.ok(), faultOf(hosts));
        QVERIFY(hosts->notes.isEmpty());
        QCOMPARE(topology::reachableAddress(hosts->profile.deployment.addresses, {"a", 7}), (Address{"b", 7}));
        const auto single =
            read("singleServerConfig:\n  address: rediss://a:1\n  natMapper:\n    hostsPortMap: {'a:1': 'c:2'}\n");
        QCOMPARE(single->profile.display(), "c:2");
        QCOMPARE(single->profile.endpoint.serverName,
                 "a");  // the certificate is the server's, whatever the route to it
    }

    void whatIsLeftOutIsSaid_data() {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<RedissonNote>("note");
        QTest::newRow("another name mapper")
            << QByteArray("  nameMapper: !<com.example.Prefixes> {prefix: a}\n") << RedissonNote{Kind::NameMapper, {}};
        QTest::newRow("another address mapper")
            << QByteArray("  natMapper: !<com.example.Addresses> {network: a}\n") << RedissonNote{Kind::NatMapper, {}};
        QTest::newRow("trust store") << QByteArray("  sslTruststore: file:/etc/trust.jks\n  sslTruststorePassword: x\n")
                                     << RedissonNote{Kind::KeyStore, {"sslTruststore"}};
        QTest::newRow("key store") << QByteArray("  sslKeystore: file:/etc/key.p12\n  sslKeystorePassword: x\n")
                                   << RedissonNote{Kind::KeyStore, {"sslKeystore"}};
        QTest::newRow("no verification") << QByteArray("  sslVerificationMode: NONE\n")
                                         << RedissonNote{Kind::Verification, {"sslVerificationMode: NONE"}};
        QTest::newRow("no host names, as it was written before")
            << QByteArray("  sslEnableEndpointIdentification: false\n")
            << RedissonNote{Kind::Verification, {"sslEnableEndpointIdentification: false"}};
        QTest::newRow("encrypted password")
            << QByteArray("  password: \"{aes}M+TfpT4T6psLCfS+RHKT7Fx0j6r5wOX535G3NMnaphY=\"\n")
            << RedissonNote{Kind::EncryptedPassword, {"password"}};
        QTest::newRow("credentials by a class")
            << QByteArray("  credentialsResolver: !<com.example.Vault> {}\n") << RedissonNote{Kind::Credentials, {}};
        QTest::newRow("what concerns the connection")
            << QByteArray("  timeout: 3000\n  keepAlive: true\n  commandMapper: !<com.example.Commands> {}\n")
            << RedissonNote{Kind::NotUsed, {"commandMapper"}};
        QTest::newRow("a setting twice") << QByteArray("  database: 1\n  database: 2\n")
                                         << RedissonNote{Kind::Twice, {"database"}};
        QTest::newRow("a value behind a number sign")
            << QByteArray("  password: #hush\n") << RedissonNote{Kind::Commented, {"password"}};
    }
    void whatIsLeftOutIsSaid() {
        QFETCH(QByteArray, settings);
        QFETCH(RedissonNote, note);
        const auto found = read(singleWith(settings));
        QVERIFY2(found.ok(), faultOf(found));
        QCOMPARE(found->notes, QList<RedissonNote>{note});
        QVERIFY(found->profile.credentials.isEmpty());
    }

    void theUsualIsNotMentioned() {
        const auto found =
            read(singleWith("  password: null\n  clientName: null\n  sslVerificationMode: STRICT\n"
                            "  nameMapper: !<org.redisson.api.DefaultNameMapper> {}\n"
                            "  credentialsResolver: !<org.redisson.config.DefaultCredentialsResolver> {}\n"));
        QVERIFY2(found.ok(), faultOf(found));
        QVERIFY2(found->notes.isEmpty(), qPrintable(argumentsOf(*found, Kind::NotUsed).join(u' ')));
    }

    void variablesAreResolved_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("display");
        QTest::newRow("a value") << QByteArray("singleServerConfig:\n  address: \"redis://${HOST}:1\"\n") << "cache:1";
        QTest::newRow("a default as a shell has it")
            << QByteArray("singleServerConfig:\n  address: \"redis://h:${NO_PORT:-7000}\"\n") << "h:7000";
        QTest::newRow("a default behind a colon")
            << QByteArray("singleServerConfig:\n  address: \"redis://h:${NO_PORT:7001}\"\n") << "h:7001";
        QTest::newRow("an address as default")
            << QByteArray("singleServerConfig:\n  address: ${NO_URL:-redis://h:7002}\n") << "h:7002";
        QTest::newRow("a value before the default")
            << QByteArray("singleServerConfig:\n  address: redis://${HOST:-other}:1\n") << "cache:1";
        QTest::newRow("a number without quotes in JSON")
            << QByteArray("{\"singleServerConfig\": {\"address\": \"redis://h:1\", \"database\": ${DB}}}") << "h:1/4";
        QTest::newRow("none is needed for what is not used")
            << QByteArray("singleServerConfig:\n  address: redis://h:1\n  clientName: ${NOWHERE}\n# ${NOWHERE}\n")
            << "h:1";
    }
    void variablesAreResolved() {
        QFETCH(QByteArray, file);
        const QHash<QString, QString> values{{"HOST", "cache"}, {"DB", "4"}};
        const auto found = redissonConnection(file, [&values](const QString& name) {
            return values.contains(name) ? std::optional(values.value(name)) : std::nullopt;
        });
        QVERIFY2(found.ok(), faultOf(found));
        QTEST(found->profile.display(), "display");
    }

    void aValueIsNoYaml() {
        const auto found = redissonConnection(singleWith("  password: ${PASSWORD}\n"), [](const QString&) {
            return std::optional(QStringLiteral("a: b # \"c'"));
        });
        QVERIFY2(found.ok(), faultOf(found));
        QCOMPARE(found->profile.credentials.password, "a: b # \"c'");
    }

    void allMissingVariablesAreNamed() {
        const auto found =
            read("singleServerConfig:\n  address: redis://${REDIS_HOST}:${redis.port}\n  password: ${SECRET}\n");
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::Variables);
        QCOMPARE(found.error().arguments, (QStringList{"REDIS_HOST", "redis.port", "SECRET"}));
    }

    void theEnvironmentHasVariables() {
        qputenv("LOCKKEEPER_TEST_VARIABLE", "");
        QCOMPARE(environmentVariable("LOCKKEEPER_TEST_VARIABLE"), std::optional(QString()));
        qunsetenv("LOCKKEEPER_TEST_VARIABLE");
        QCOMPARE(environmentVariable("LOCKKEEPER_TEST_VARIABLE"), std::optional<QString>());
    }

    void refusesAndSaysWhere_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<RedissonCause>("cause");
        QTest::addColumn<QStringList>("arguments");
        const QString line2 = QStringLiteral("2");
        QTest::newRow("empty") << QByteArray() << RedissonCause::NoServers << QStringList{};
        QTest::newRow("a sentence") << QByteArray("hello") << RedissonCause::NoServers << QStringList{};
        QTest::newRow("a list") << QByteArray("- a\n- b\n") << RedissonCause::NoServers << QStringList{};
        QTest::newRow("no servers") << QByteArray("threads: 16\n") << RedissonCause::NoServers << QStringList{};
        QTest::newRow("two modes") << QByteArray(
                                          "singleServerConfig: {address: 'redis://h:1'}\nclusterServersConfig: {}\n")
                                   << RedissonCause::TwoServers << QStringList{line2, "clusterServersConfig"};
        QTest::newRow("of Redisson PRO") << QByteArray(
                                                "a: 1\nmultiClusterServersConfig: {addresses: ['redis://h:1']}\n")
                                         << RedissonCause::Pro << QStringList{line2, "multiClusterServersConfig"};
        QTest::newRow("the address as a comment")
            << QByteArray("singleServerConfig:\n  # address: redis://h:1\n  database: 1\n")
            << RedissonCause::CommentedOut << QStringList{line2, "address"};
        QTest::newRow("the servers as a comment")
            << QByteArray("threads: 1\n#singleServerConfig:\n#  address: redis://h:1\n") << RedissonCause::CommentedOut
            << QStringList{line2, "singleServerConfig"};
        QTest::newRow("no time") << singleWith("lockWatchdogTimeout: soon\n") << RedissonCause::NoTime
                                 << QStringList{"3", "lockWatchdogTimeout", "100"};
        QTest::newRow("no address") << QByteArray("threads: 1\nsingleServerConfig: {database: 1}\n")
                                    << RedissonCause::Missing << QStringList{line2, "address"};
        QTest::newRow("an empty list") << QByteArray("clusterServersConfig:\n  nodeAddresses: []\n")
                                       << RedissonCause::Missing << QStringList{"1", "nodeAddresses"};
        QTest::newRow("no master") << QByteArray("sentinelServersConfig:\n  sentinelAddresses: ['redis://s:1']\n")
                                   << RedissonCause::Missing << QStringList{line2, "masterName"};
        QTest::newRow("no group") << QByteArray("threads: 1\nsingleServerConfig: redis://h:1\n")
                                  << RedissonCause::NoGroup << QStringList{line2, "singleServerConfig"};
        QTest::newRow("a list as address") << QByteArray("singleServerConfig:\n  address: [{a: b}]\n")
                                           << RedissonCause::NoValue << QStringList{line2, "address"};
        QTest::newRow("two addresses of one server")
            << QByteArray("singleServerConfig:\n  address: ['redis://a:1', 'redis://b:1']\n")
            << RedissonCause::SeveralAddresses << QStringList{line2, "address"};
        QTest::newRow("an empty address") << QByteArray("threads: 1\nsingleServerConfig: {address: ''}\n")
                                          << RedissonCause::Missing << QStringList{line2, "address"};
        QTest::newRow("a group as list") << QByteArray("clusterServersConfig:\n  nodeAddresses: {a: b}\n")
                                         << RedissonCause::NoList << QStringList{line2, "nodeAddresses"};
        QTest::newRow("a group as password")
            << singleWith("  password: {a: b}\n") << RedissonCause::NoValue << QStringList{"3", "password"};
        QTest::newRow("another scheme") << QByteArray("singleServerConfig:\n  address: http://:secret@h\n")
                                        << RedissonCause::NoAddress << QStringList{line2, "address"};
        QTest::newRow("a Unix socket among servers")
            << QByteArray("clusterServersConfig:\n  nodeAddresses: ['redis+uds:///s']\n") << RedissonCause::NoAddress
            << QStringList{line2, "nodeAddresses"};
        QTest::newRow("a port that is none") << QByteArray("singleServerConfig:\n  address: redis://h:0\n")
                                             << RedissonCause::NoAddress << QStringList{line2, "address"};
        QTest::newRow("a map of hosts with a port") << singleWith("  natMapper:\n    hostsMap: {'a:1': 'd'}\n")
                                                    << RedissonCause::NoAddress << QStringList{"4", "hostsMap"};
        QTest::newRow("a map that is none") << singleWith("  natMapper:\n    hostsPortMap: {'a:b:c': 'd'}\n")
                                            << RedissonCause::NoAddress << QStringList{"4", "hostsPortMap"};
        QTest::newRow("database not a number")
            << singleWith("  database: zero\n") << RedissonCause::NoDatabase << QStringList{"3", "database"};
        QTest::newRow("database negative")
            << singleWith("  database: -1\n") << RedissonCause::NoDatabase << QStringList{"3", "database"};
        QTest::newRow("with TLS and without")
            << QByteArray("clusterServersConfig:\n  nodeAddresses: ['redis://a:1', 'rediss://b:1']\n")
            << RedissonCause::MixedTls << QStringList{"1", "clusterServersConfig"};
        QTest::newRow("no UTF-8") << QByteArray("\xff\xfe") << RedissonCause::NotText << QStringList{};
        QTest::newRow("too large") << QByteArray(largestFile + 1, ' ') << RedissonCause::TooLarge
                                   << QStringList{QString::number(largestFile)};
    }
    void refusesAndSaysWhere() {
        QFETCH(QByteArray, file);
        const auto found = read(file);
        QVERIFY(!found.ok());
        QCOMPARE(found.error().code, ErrorCode::InvalidArgument);
        QFETCH(const RedissonCause, cause);
        QCOMPARE(found.error().cause, cause);
        QTEST(found.error().arguments, "arguments");
        QVERIFY2(!found.error().text.contains("secret"), "never quotes a password");
    }

    void brokenSyntaxIsRefusedWithItsLine_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("line");
        QTest::newRow("an open bracket") << QByteArray("a: 1\nb: [1\nc: 2\n") << "3";
        QTest::newRow("wrong indentation") << QByteArray("singleServerConfig:\n  address: a\n database: 1\n") << "3";
        QTest::newRow("a password taken for an alias") << QByteArray("\na: *s3cret\n") << "2";
        QTest::newRow("JSON cut off") << QByteArray("{\"singleServerConfig\": {\n\"address\": \"redis://h:1\"") << "2";
    }
    void brokenSyntaxIsRefusedWithItsLine() {
        QFETCH(QByteArray, file);
        const auto found = read(file);
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::Syntax);
        QVERIFY2(!found.error().arguments.value(1).isEmpty(), "the parser's reason");
        QTEST(found.error().arguments.value(0), "line");
        QVERIFY2(!found.error().text.contains("s3cret"), "never quotes the file");
    }

    void hostileFilesAreRefused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<RedissonCause>("cause");
        QByteArray bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
        for (int i = 1; i < 30; ++i) {
            const QByteArray number = QByteArray::number(i);
            const QByteArray before = "*a" + QByteArray::number(i - 1);
            bomb += "a" + number + ": &a" + number + " [" + (before + ",").repeated(8) + before + "]\n";
        }
        QTest::newRow("aliases of aliases") << bomb + "clusterServersConfig:\n  nodeAddresses: *a29\n"
                                            << RedissonCause::NoValue;
        QTest::newRow("nested lists") << QByteArray(largestFile, '[') << RedissonCause::TooDeep;
        QTest::newRow("nested groups") << QByteArray("{a: ").repeated(largestFile / 4) << RedissonCause::TooDeep;
        QTest::newRow("nested list items") << QByteArray("- ").repeated(largestFile / 2) << RedissonCause::TooDeep;
        QTest::newRow("variables") << QByteArray("${a}").repeated(largestFile / 4) << RedissonCause::NoServers;
        QTest::newRow("many settings") << QByteArray("a: 1\n").repeated(largestFile / 5) << RedissonCause::NoServers;
        QTest::newRow("zero bytes") << QByteArray(largestFile, '\0') << RedissonCause::Syntax;
    }
    void hostileFilesAreRefused() {
        QFETCH(QByteArray, file);
        const auto found = read(file);
        QVERIFY(!found.ok());
        QFETCH(const RedissonCause, cause);
        QCOMPARE(found.error().cause, cause);
    }

    void aFileIsReadUpToALimit() {
        const QTemporaryDir directory;
        QFile file(directory.filePath("large.yaml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(100'000'000));
        file.close();
        QCOMPARE(openConfiguration(file.fileName()).error().cause, RedissonCause::TooLarge);
        QVERIFY(file.resize(10));
        QCOMPARE(openConfiguration(file.fileName())->files.first().bytes.size(), 10);
        QCOMPARE(openConfiguration(directory.path()).error().cause, Cause::NotAFile);
        QCOMPARE(openConfiguration(directory.filePath("none")).error().cause, Cause::FileNotRead);
    }
};

LOCKKEEPER_TEST(TestRedissonConfig, Appless)
#include "tst_redissonconfig.moc"
