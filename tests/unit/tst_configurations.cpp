// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/archivefiles.h"
#include "profile/configuration/configuration.h"
#include "profile/configuration/redissoncause.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace tst_configurations {

using namespace lockkeeper;
using namespace lockkeeper::profile;
using Kind = RedissonNote::Kind;

QString folder() {
    return test::places::data() + QStringLiteral("/configurations/");
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString wordFor(Kind kind) {
    switch (kind) {
        case Kind::NameMapper:
            return QStringLiteral("NameMapper");
        case Kind::NatMapper:
            return QStringLiteral("NatMapper");
        case Kind::KeyStore:
            return QStringLiteral("KeyStore");
        case Kind::Verification:
            return QStringLiteral("Verification");
        case Kind::EncryptedPassword:
            return QStringLiteral("EncryptedPassword");
        case Kind::Credentials:
            return QStringLiteral("Credentials");
        case Kind::Twice:
            return QStringLiteral("Twice");
        case Kind::Commented:
            return QStringLiteral("Commented");
        case Kind::Defaults:
            return QStringLiteral("Defaults");
        case Kind::OtherProfiles:
            return QStringLiteral("OtherProfiles");
        case Kind::OutOfRange:
            return QStringLiteral("OutOfRange");
        case Kind::NotImported:
            return QStringLiteral("NotImported");
        case Kind::OldAddress:
            return QStringLiteral("OldAddress");
        case Kind::BundleMissing:
            return QStringLiteral("BundleMissing");
        case Kind::FileMissing:
            return QStringLiteral("FileMissing");
        case Kind::NotUsed:
            return QStringLiteral("NotUsed");
    }
    return {};
}

QStringList wordsFor(const QList<RedissonNote>& notes) {
    QStringList words;
    for (const RedissonNote& note : notes)
        words += note.arguments.isEmpty()
                     ? wordFor(note.kind)
                     : QStringLiteral("%1: %2").arg(wordFor(note.kind), note.arguments.join(QStringLiteral(", ")));
    return words;
}

QStringList textsOf(const QJsonValue& list) {
    QStringList texts;
    for (const QJsonValue& one : list.toArray())
        texts += one.toString();
    return texts;
}

ConfigurationChoice choiceOf(const QJsonObject& row) {
    ConfigurationChoice choice;
    choice.springProfile = row.value(QStringLiteral("profile")).toString();
    if (row.contains(QStringLiteral("values"))) {
        choice.variables = [values = row.value(QStringLiteral("values")).toObject()](const QString& name) {
            return values.contains(name) ? std::optional(values.value(name).toString()) : std::nullopt;
        };
    }
    return choice;
}

Result<RedissonConnection> opened(const QString& path, const ConfigurationChoice& choice = {}) {
    const Result<ConfigurationFiles> files = openConfiguration(path);
    return files ? connectionOf(*files, choice) : Result<RedissonConnection>(files.error());
}

// Two bytes, with the lower one first, as a zip file has them.
QByteArray number16(quint16 value) {
    return QByteArray(1, static_cast<char>(value & 0xff)) + QByteArray(1, static_cast<char>(value >> 8));
}

QByteArray number32(quint32 value) {
    return number16(static_cast<quint16>(value & 0xffff)) + number16(static_cast<quint16>(value >> 16));
}

quint32 crc32Of(const QByteArray& bytes) {
    quint32 crc = 0xffffffff;
    for (const char byte : bytes) {
        crc ^= static_cast<quint8>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
    }
    return ~crc;
}

// A zip file. Each content is compressed.
QByteArray zipOf(const QList<std::pair<QByteArray, QByteArray>>& entries) {
    QByteArray file;
    QByteArray directory;
    for (const auto& [name, content] : entries) {
        // Qt's form is the size, a header of zlib, the data, and a checksum.
        const QByteArray packed = qCompress(content, 9).mid(6).chopped(4);
        const QByteArray common = number16(20) + number16(0) + number16(8) + number32(0) + number32(crc32Of(content)) +
                                  number32(static_cast<quint32>(packed.size())) +
                                  number32(static_cast<quint32>(content.size())) +
                                  number16(static_cast<quint16>(name.size())) + number16(0);
        directory += QByteArray("PK\x01\x02", 4) + number16(20) + common + number16(0) + number16(0) + number16(0) +
                     number32(0) + number32(static_cast<quint32>(file.size())) + name;
        file += QByteArray("PK\x03\x04", 4) + common + name + packed;
    }
    const QByteArray count = number16(static_cast<quint16>(entries.size()));
    return file + directory + QByteArray("PK\x05\x06", 4) + number32(0) + count + count +
           number32(static_cast<quint32>(directory.size())) + number32(static_cast<quint32>(file.size())) + number16(0);
}

// Configurations in all their forms: what they give, and that none of them does harm. The files in
// tests/data/configurations, with a table of what each gives.
class TestConfigurations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void givesWhatTheTableSays_data() {
        QTest::addColumn<QJsonObject>("row");
        const QJsonArray table = QJsonDocument::fromJson(contentOf(folder() + QStringLiteral("table.json"))).array();
        QVERIFY(table.size() >= 60);
        for (const QJsonValue& one : table) {
            const QJsonObject row = one.toObject();
            const QString profile = row.value(QStringLiteral("profile")).toString();
            const QString file = row.value(QStringLiteral("file")).toString();
            const QString values = row.contains(QStringLiteral("values")) ? QStringLiteral(", with values") : QString();
            QTest::newRow(qPrintable(file + (profile.isEmpty() ? QString() : QStringLiteral(", ") + profile) + values))
                << row;
        }
    }
    void givesWhatTheTableSays() {
        QFETCH(const QJsonObject, row);
        const auto found = opened(folder() + row.value(QStringLiteral("file")).toString(), choiceOf(row));
        if (row.contains(QStringLiteral("error"))) {
            QVERIFY2(!found.ok(), found.ok() ? qPrintable(found->profile.urlWithoutPassword()) : "");
            QVERIFY2(found.error().text.contains(row.value(QStringLiteral("error")).toString()),
                     qPrintable(found.error().text));
            const QString secret = row.value(QStringLiteral("secret")).toString();
            QVERIFY2(secret.isEmpty() || !found.error().text.contains(secret), "never quotes a secret");
            return;
        }
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().text));
        const ConnectionProfile& profile = found->profile;
        QCOMPARE(profile.urlWithoutPassword(), row.value(QStringLiteral("url")).toString());
        QCOMPARE(QString::fromUtf8(profile.credentials.password), row.value(QStringLiteral("password")).toString());
        if (profile.deployment.sentinels)
            QCOMPARE(QString::fromUtf8(profile.deployment.sentinels->credentials.password),
                     row.value(QStringLiteral("sentinelPassword")).toString());
        QCOMPARE(wordsFor(found->notes), textsOf(row.value(QStringLiteral("notes"))));
        const Result<ConnectionProfile> again = ConnectionProfile::fromUrl(profile.urlWithoutPassword());
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().text));
        QCOMPARE(again->locks, profile.locks);
        QCOMPARE(again->withoutSecrets(), profile.withoutSecrets());
    }

    // Whose files are beside it.
    void aBundleOfSpringNamesFilesInPem() {
        const auto found = opened(folder() + QStringLiteral("bundle-pem/application.yml"));
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().text));
        const redis::Endpoint& endpoint = found->profile.endpoint;
        const QString certificates = QFileInfo(folder()).canonicalFilePath() + QStringLiteral("/bundle-pem/certs/");
        QCOMPARE(endpoint.security, redis::Security::Tls);
        QCOMPARE(endpoint.caFile, certificates + QStringLiteral("ca.pem"));
        QCOMPARE(endpoint.certificateFile, certificates + QStringLiteral("client.pem"));
        QCOMPARE(endpoint.privateKeyFile, certificates + QStringLiteral("client.key"));
        QCOMPARE(endpoint.keyPassphrase, QByteArray("pass-of-the-key"));
        QCOMPARE(wordsFor(found->notes), QStringList());
    }

    void aBundleOfSpringSaysWhichVersionsOfTls_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<redis::TlsVersion>("least");
        QTest::newRow("one") << "bundle-protocols/application.yml" << redis::TlsVersion::Tls13;
        QTest::newRow("none") << "bundle-pem/application.yml" << redis::TlsVersion::Tls12;
    }
    void aBundleOfSpringSaysWhichVersionsOfTls() {
        QFETCH(QString, file);
        const auto found = opened(folder() + file);
        QVERIFY(found.ok());
        QTEST(found->profile.endpoint.leastTls, "least");
    }

    // An import is a file that somebody else may have chosen.
    void importsAreBounded() {
        const QTemporaryDir here;
        for (int i = 0; i < 60; ++i) {
            QFile file(here.filePath(QStringLiteral("%1.yml").arg(i)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("spring.config.import: " + QByteArray::number(i + 1) + ".yml\nspring.redis.host: h\n");
        }
        const auto found = opened(here.filePath(QStringLiteral("0.yml")));
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::TooManyFiles);
    }

    void anyBeginOfAFileIsReadOrRefused() {
        int files = 0;
        for (const QJsonValue& one :
             QJsonDocument::fromJson(contentOf(folder() + QStringLiteral("table.json"))).array()) {
            const QString name = one.toObject().value(QStringLiteral("file")).toString();
            const QByteArray whole = contentOf(folder() + name);
            ++files;
            for (qsizetype size = 0; size < whole.size(); ++size) {
                const QByteArray begin = whole.first(size);
                const Result<ConfigurationFiles> archive =
                    begin.startsWith("PK") ? archiveFiles(begin) : Result<ConfigurationFiles>(ConfigurationFiles());
                if (!archive)
                    continue;
                ConfigurationFiles content = *archive;
                if (content.files.isEmpty() && content.source == ConfigurationFiles::Source::File)
                    content.files += {QFileInfo(name).fileName(), begin};
                const auto found = connectionOf(content, {});
                QVERIFY(found.ok() || !found.error().text.isEmpty());
            }
        }
        QVERIFY(files >= 60);
    }

    void nothingIsTakenFromTheEnvironmentUnasked() {
        qputenv("LOCKKEEPER_TEST_SECRET", "hunter2");
        const QByteArray file =
            "singleServerConfig:\n  address: redis://evil.example:6379\n  password: ${LOCKKEEPER_TEST_SECRET}\n";
        const auto found = redissonConnection(file, {});
        qunsetenv("LOCKKEEPER_TEST_SECRET");
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::Variables);
        QCOMPARE(found.error().arguments, QStringList{"LOCKKEEPER_TEST_SECRET"});
    }

    // A name of a setting may be a variable, too, and messages have names.
    void theValueOfAVariableIsInNoMessage() {
        const RedissonVariables values = [](const QString&) { return std::optional(QStringLiteral("hunter2")); };
        for (const QByteArray& file :
             {QByteArray("singleServerConfig:\n  address: redis://h:1\n  ${V}password: a\n"),
              QByteArray("singleServerConfig:\n  address: ${V}://x\n"),
              QByteArray("singleServerConfig:\n  address: redis://h:1\n  database: ${V}\n"),
              QByteArray("spring.redis.redisson.file: ${V}\n"), QByteArray("spring.redis.redisson.file: /${V}\n"),
              QByteArray("spring.redis.port: ${V}\n"),
              QByteArray("clusterServersConfig:\n  nodeAddresses: [redis://h:1]\n  natMap: {'${V}:x:y': '${V}'}\n")}) {
            const auto found = redissonConnection(file, values);
            const QString said = found ? wordsFor(found->notes).join(u' ') : found.error().text;
            QVERIFY2(!said.contains(QStringLiteral("hunter2")), qPrintable(said));
        }
    }

    // ---- hostile files ----

    void variablesOfVariablesAreBounded() {
        QByteArray file = "a0: xxxxxxxxxx\n";
        for (int i = 1; i < 40; ++i) {
            const QByteArray before = "${a" + QByteArray::number(i - 1) + "}";
            file += "a" + QByteArray::number(i) + ": " + before.repeated(10) + "\n";
        }
        const auto found = redissonConnection(file + "spring.redis.host: ${a39}\nspring.redis.password: ${a38}\n", {});
        QVERIFY(!found.ok() || found->profile.credentials.password.size() <= 1 << 16);
    }

    void nestedBlocksAreRefusedWithTheirLine_data() {
        QTest::addColumn<QByteArray>("file");
        QByteArray nested;
        for (int depth = 0; depth < 700; ++depth)
            nested += QByteArray(depth, ' ') + "a:\n";
        QTest::newRow("groups by lines") << nested;
        QTest::newRow("groups in a line") << QByteArray("{a: ").repeated(10'000);
        QTest::newRow("lists in a line") << QByteArray("spring: ") + QByteArray(10'000, '[');
        QTest::newRow("lists by dashes") << QByteArray("- ").repeated(10'000);
    }
    void nestedBlocksAreRefusedWithTheirLine() {
        QFETCH(const QByteArray, file);
        const auto found = redissonConnection(file, {});
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::TooDeep);
    }

    void aPathOfManyDotsIsNoStack() {
        const auto found = redissonConnection("spring.redis" + QByteArray(".a").repeated(100'000) + ": 1\n", {});
        QVERIFY(!found.ok());
    }

    void aliasesAreNotExpanded_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::newRow("in Redisson") << QByteArray();
        QTest::newRow("in Spring") << QByteArray("spring.redis.host: h\n");
    }
    void aliasesAreNotExpanded() {
        QFETCH(const QByteArray, begin);
        QByteArray file = begin + "a0: &a0 {x: 1, y: 2}\n";
        for (int i = 1; i < 30; ++i) {
            const QByteArray before = "*a" + QByteArray::number(i - 1);
            file += "a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " {p: " + before + ", q: " + before +
                    ", r: " + before + "}\n";
        }
        const auto found = redissonConnection(file, {});
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, begin.isEmpty() ? RedissonCause::NoServers : RedissonCause::TooManySettings);
    }

    void mergedGroupsAreBounded() {
        QByteArray file = "a0: &a0 {k: 1}\n";
        for (int i = 1; i < 400; ++i)
            file += "a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " {<<: *a" +
                    QByteArray::number(i - 1) + ", k" + QByteArray::number(i) + ": 1}\n";
        const auto found = redissonConnection(file, {});
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::TooManySettings);
    }

    void aJarMayHaveManyEntries() {
        QList<std::pair<QByteArray, QByteArray>> entries;
        for (int i = 0; i < 3000; ++i)
            entries.append(std::pair<QByteArray, QByteArray>{
                "BOOT-INF/classes/com/shop/C" + QByteArray::number(i) + ".class", "x"});
        entries.append(
            std::pair<QByteArray, QByteArray>{"BOOT-INF/classes/application.yml", "spring.redis.host: last.jar\n"});
        const Result<ConfigurationFiles> files = archiveFiles(zipOf(entries));
        QVERIFY2(files.ok(), files.ok() ? "" : qPrintable(files.error().text));
        const auto found = connectionOf(*files, {});
        QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().text));
        QCOMPARE(found->profile.display(), QStringLiteral("last.jar:6379"));
    }

    void notMoreThanAThousandFilesAreLookedAt() {
        QList<std::pair<QByteArray, QByteArray>> entries;
        for (int i = 0; i < 1500; ++i)
            entries.append(std::pair<QByteArray, QByteArray>{"f" + QByteArray::number(i) + ".yml", "a: 1\n"});
        const Result<ConfigurationFiles> files = archiveFiles(zipOf(entries));
        QVERIFY(files.ok());
        QCOMPARE(files->files.size(), 1000);
    }

    void aBombIsNotUnpacked() {
        const QByteArray large(12'000'000, ' ');
        const std::pair<QByteArray, QByteArray> redisson{"redisson.yaml",
                                                         "singleServerConfig:\n  address: redis://h:1\n"};
        const Result<ConfigurationFiles> files = archiveFiles(zipOf({{"other.yml", large}, redisson}));
        QVERIFY(files.ok());
        QCOMPARE(files->files.size(), 1);
        QCOMPARE(connectionOf(*files, {})->profile.display(), QStringLiteral("h:1"));
        const Result<ConfigurationFiles> refused = archiveFiles(zipOf({{"application.yml", large}, redisson}));
        QVERIFY2(!refused.ok(), "what is left out may name other servers");
        QCOMPARE(refused.error().cause, RedissonCause::EntryTooLarge);
        QVERIFY2(refused.error().text.contains("application.yml"), qPrintable(refused.error().text));
        const QByteArray quarter = QByteArray(250'000, ' ');
        QList<std::pair<QByteArray, QByteArray>> many;
        for (int i = 0; i < 200; ++i)
            many.append({"f" + QByteArray::number(i) + ".yml", quarter});
        const Result<ConfigurationFiles> kept = archiveFiles(zipOf(many));
        QVERIFY(kept.ok());
        QVERIFY2(kept->files.size() <= 130, "all of them together are bounded, too");
    }

    void aCutArchiveIsRefused() {
        const QByteArray whole = zipOf({{"application.yml", "spring.redis.host: base\nspring.profiles.active: prod\n"},
                                        {"application-prod.yml", "spring.redis.host: prod\n"}});
        QVERIFY(archiveFiles(whole).ok());
        const qsizetype second = whole.indexOf("PK\x03\x04", 4);
        QCOMPARE(archiveFiles(whole.first(second + 10)).error().cause, RedissonCause::NoArchive);
        QByteArray broken = whole;
        broken[second + 30 + static_cast<qsizetype>(qstrlen("application-prod.yml"))] = '\x07';  // no such block
        const Result<ConfigurationFiles> files = archiveFiles(broken);
        QVERIFY(!files.ok());
        QCOMPARE(files.error().cause, RedissonCause::EntryNotRead);
        QVERIFY2(files.error().text.contains("application-prod.yml"), qPrintable(files.error().text));
    }

    void aJarMayBeginWithAScript() {
        const QTemporaryDir folder;
        const QByteArray zip = zipOf({{"BOOT-INF/classes/application.yml", "spring.redis.host: run.jar\n"}});
        for (const char* name : {"app.jar", "app.bin"}) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("#!/bin/bash\nexec java -jar \"$0\"\n" + zip);
            file.close();
            const auto found = opened(file.fileName());
            QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().text));
            QCOMPARE(found->profile.display(), QStringLiteral("run.jar:6379"));
        }
    }

    void notMoreThanAMegabyteOfThemIsParsed() {
        QByteArray lines;
        for (int i = 0; i < 30'000; ++i)
            lines += "k: v\n";
        QList<std::pair<QByteArray, QByteArray>> entries;
        for (int i = 0; i < 20; ++i)
            entries.append({"application-" + QByteArray::number(i) + ".yml", lines});
        QCOMPARE(connectionOf(*archiveFiles(zipOf(entries)), {}).error().cause, RedissonCause::TooManyFiles);
        entries.clear();
        for (int i = 0; i < 60; ++i)
            entries.append({"application-" + QByteArray::number(i) + ".yml", "k: v\n"});
        QCOMPARE(connectionOf(*archiveFiles(zipOf(entries)), {}).error().cause, RedissonCause::TooManyFiles);
    }

    void objectsOfKubernetesAreBounded() {
        const QByteArray begin =
            "apiVersion: v1\nkind: List\nx: &x {apiVersion: v1, kind: ConfigMap, data: {application.yml: \"" +
            QByteArray(10'000, 'x') + "\"}}\nitems: [";
        const auto found = redissonConnection(begin + QByteArray("*x,").repeated(500) + "]\n", {});
        QVERIFY(!found.ok());
        QCOMPARE(found.error().cause, RedissonCause::TooManyFiles);
    }

    void listsOfAddressesAreBounded_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QByteArray>("item");
        QTest::addColumn<QByteArray>("end");
        QTest::addColumn<RedissonCause>("cause");
        const QByteArray hosts = QByteArray("h,").repeated(30'000);
        const QByteArray cluster = "\nclusterServersConfig:\n  nodeAddresses: [";
        const QByteArray spring = "\nspring.data.redis.cluster.nodes: [";
        QTest::newRow("aliases") << "a: &a \"" + hosts + "\"" + cluster << QByteArray("*a,") << QByteArray("]\n")
                                 << RedissonCause::TooManyAddresses;
        QTest::newRow("aliases in Spring") << "a: &a \"" + hosts + "\"" + spring << QByteArray("*a,")
                                           << QByteArray("]\n") << RedissonCause::TooManyAddresses;
        QTest::newRow("variables in Spring") << "a: \"" + hosts + "\"" + spring << QByteArray("\"${a}\",")
                                             << QByteArray("]\n") << RedissonCause::TooManyAddresses;
        const QByteArray long60 = QByteArray(60'000, 'h');
        QTest::newRow("long variables") << "a: \"" + long60 + "\"" + spring << QByteArray("\"${a}\",")
                                        << QByteArray("]\n") << RedissonCause::TooMuchText;
    }
    void listsOfAddressesAreBounded() {
        QFETCH(const QByteArray, begin);
        QFETCH(const QByteArray, item);
        QFETCH(const QByteArray, end);
        const auto found = redissonConnection(begin + item.repeated(9000) + end, {});
        QVERIFY(!found.ok());
        QFETCH(const RedissonCause, cause);
        QCOMPARE(found.error().cause, cause);
    }

    void whatIsNoArchiveIsRefused() {
        QCOMPARE(archiveFiles(QByteArray("PK\x03\x04 and then nothing of a zip file")).error().cause,
                 RedissonCause::NoArchive);
    }

    // ---- files beside ----

    void aKeyStoreBesideIsTheClientsCertificate() {
        const QTemporaryDir folder;
        const auto write = [&folder](const QString& name, const QByteArray& content) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        };
        write(QStringLiteral("client.p12"), QByteArray("\x30\x82\x01", 3));
        write(QStringLiteral("old.jks"), QByteArray("\xfe\xed\xfe\xed", 4));
        const auto keyStoreOf = [&](const QByteArray& name) {
            write(QStringLiteral("redisson.yaml"), "singleServerConfig:\n  address: rediss://h:1\n  sslKeystore: " +
                                                       name + "\n  sslKeystorePassword: open\n");
            return opened(folder.filePath(QStringLiteral("redisson.yaml")));
        };
        const QString path = QFileInfo(folder.filePath(QStringLiteral("client.p12"))).canonicalFilePath();
        for (const QByteArray& name : {QByteArray("client.p12"), QByteArray("file:client.p12"),
                                       QByteArray("classpath:client.p12"), "file:" + path.toUtf8()}) {
            const auto found = keyStoreOf(name);
            QVERIFY2(found.ok(), found.ok() ? "" : qPrintable(found.error().text));
            QCOMPARE(found->profile.endpoint.certificateFile, path);
            QCOMPARE(found->profile.endpoint.privateKeyFile, path);
            QCOMPARE(found->profile.endpoint.keyPassphrase, "open");
            QVERIFY(found->notes.isEmpty());
        }
        write(QStringLiteral("trust.yaml"),
              "singleServerConfig:\n  address: rediss://h:1\n  sslTruststore: classpath:old.jks\n"
              "  sslTruststorePassword: changeit\n");
        const auto trusting = opened(folder.filePath(QStringLiteral("trust.yaml")));
        QVERIFY(trusting.ok());
        QCOMPARE(trusting->profile.endpoint.caFile,
                 QFileInfo(folder.filePath(QStringLiteral("old.jks"))).canonicalFilePath());
        QVERIFY(trusting->notes.isEmpty());
        for (const QByteArray& name : {QByteArray("old.jks"), QByteArray("file:/etc/passwd"), QByteArray("../x.p12")}) {
            const auto found = keyStoreOf(name);
            QVERIFY(found.ok());
            QVERIFY(found->profile.endpoint.certificateFile.isEmpty());
            QCOMPARE(wordsFor(found->notes), QStringList{"KeyStore: sslKeystore"});
        }
    }

    void aLinkLeadsNowhereElse() {
        const QTemporaryDir outside;
        const QTemporaryDir inside;
        const auto write = [](const QString& path, const QByteArray& content) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        };
        write(outside.filePath("redisson.yaml"), "singleServerConfig:\n  address: redis://outside:1\n");
        QVERIFY(QFile::link(outside.filePath("redisson.yaml"), inside.filePath("link.yaml")));
        QVERIFY(QFile::link(outside.path(), inside.filePath("folder")));
        for (const QByteArray& name : {QByteArray("link.yaml"), QByteArray("folder/redisson.yaml")}) {
            write(inside.filePath("application.yml"), "spring.redis.redisson.file: classpath:" + name + "\n");
            const auto found = opened(inside.filePath("application.yml"));
            QVERIFY(!found.ok());
            QCOMPARE(found.error().cause, RedissonCause::FileMissing);
        }
    }
};

LOCKKEEPER_TEST(TestConfigurations, Appless)

}  // namespace tst_configurations

#include "tst_configurations.moc"
