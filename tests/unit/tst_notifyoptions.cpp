// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/tools/configfile.h"
#include "app/tools/notifyplan.h"
#include "support/testprogram.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace tst_notifyoptions {

using namespace lockkeeper;
using app::Arguments;

// The command line of `lockkeeper notify`, and its file.
class TestNotifyOptions : public QObject {
    Q_OBJECT

private:
    static app::Lookups lookups() {
        return {[](const QString& name) -> Result<profile::StoredProfile> {
                    profile::StoredProfile stored;
                    stored.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://orders.example"));
                    stored.label.name = name;
                    return stored;
                },
                [](const app::ConfigurationRequest&) -> Result<profile::RedissonConnection> {
                    return Error(ErrorCode::InvalidArgument, QStringLiteral("no file"));
                },
                [](const QByteArray&) { return false; }};
    }
    static Result<Arguments> parse(const QStringList& words) { return Arguments::parse(words, {}, lookups()); }
    static QString errorOf(const QStringList& words) {
        const Result<Arguments> arguments = parse(words);
        if (!arguments)
            return arguments.error().text;
        const Result<app::NotifyPlan> plan = app::planOf(arguments->notify);
        return plan ? QString() : plan.error().text;
    }
    static QStringList words(const char* text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }
    QString file(const QString& name, const QByteArray& content) const {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no file");
        file.write(content);
        return file.fileName();
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void allIsTaken() {
        const Result<Arguments> arguments = parse(
            words("notify redis://user:secret@a:1 rediss://b --profile Orders --rule lost --webhook https://c/d"));
        QVERIFY(arguments.ok());
        QCOMPARE(arguments->face, Arguments::Face::Notify);
        QCOMPARE(arguments->notify.targets.size(), 3);
        QCOMPARE(arguments->notify.targets.at(0).name, QStringLiteral("a:1"));  // no user, no secret
        QCOMPARE(arguments->notify.targets.at(0).profile.credentials.password, QByteArray("secret"));
        QCOMPARE(arguments->notify.targets.at(2).name, QStringLiteral("Orders"));
        QVERIFY(arguments->notify.targets.at(2).saved.has_value());
        const Result<app::NotifyPlan> plan = app::planOf(arguments->notify);
        QVERIFY(plan.ok());
        QCOMPARE(plan->rules.size(), size_t(1));
        QVERIFY(plan->rules.front().lost);
    }

    void withoutARuleThereIsAUsualOne() {
        const Result<Arguments> arguments = parse(words("notify a --exec cat"));
        QVERIFY(arguments.ok());
        const Result<app::NotifyPlan> plan = app::planOf(arguments->notify);
        QVERIFY(plan.ok());
        QCOMPARE(plan->rules.size(), size_t(1));
        QVERIFY(plan->rules.front().diagnoses.contains(monitor::DiagnosisKind::Deadlock));
    }

    void mistakes_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* line, const char* said) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(said);
        };
        row("notify --webhook https://a/", "needs a URL");
        row("notify a", "one receiver");
        row("notify a --webhook https://a/ --exec cat", "one receiver");
        row("notify a a --exec cat", "named twice");
        row("notify --demo --exec cat", "no demo");
        row("notify a --webhook http://a/", "https");
        row("notify a --webhook ftp://a/", "no URL");
        row("notify a --exec cat --template slack", "go with a webhook");
        row("notify a --webhook https://a/ --template /no/such", "/no/such");
        row("notify a --webhook https://a/ --webhook-ca /no/such", "/no/such");
        row("notify a --webhook https://a/ --secret-file /no/such", "/no/such");
        row("notify a --webhook https://a/ --secret-file credential:a", "LoadCredential");
        row("notify a --webhook https://a/ --secret-file credential:../a", "followed by the name");
        row("notify a --exec cat --rule held", "--rule");
        row("notify a --exec cat --log-level loud", "--log-level");
        row("notify a --exec cat --log-format xml", "--log-format");
        row("notify a --exec cat --state=", "--state");
        row("notify a --exec cat --match x", "--match");
        row("list a --rule lost", "go with notify");
        row("list --url a", "--config and --url go with exporter, notify and watch");
        row("lock a x --config y -- true", "--config and --url");
    }
    void mistakes() {
        QFETCH(const QString, line);
        QFETCH(const QString, said);
        QTest::failOnWarning(QRegularExpression(QStringLiteral("device not open")));
        const QString error = errorOf(words(line.toUtf8().constData()));
        QVERIFY2(error.contains(said), qPrintable(error));
    }

    void theFileIsWeaker() {
        const QString path = file(QStringLiteral("a.conf"),
                                  "# comment\nurl = redis://a\nrule = held=5 match=x\nlog-level = debug\n"
                                  "webhook = https://hook.example/x\n");
        const Result<QStringList> whole = app::withConfigFile(
            {QStringLiteral("notify"), QStringLiteral("--config"), path, QStringLiteral("--log-level=error")});
        QVERIFY(whole.ok());
        const Result<Arguments> arguments = parse(*whole);
        QVERIFY2(arguments.ok(), qPrintable(arguments ? QString() : arguments.error().text));
        QCOMPARE(arguments->notify.logLevel, QStringLiteral("error"));
        QCOMPARE(arguments->notify.webhook, QByteArray("https://hook.example/x"));
        QCOMPARE(arguments->notify.rules, QStringList{QStringLiteral("held=5 match=x")});
        QCOMPARE(arguments->notify.targets.first().name, QStringLiteral("a:6379"));
        const Result<QStringList> watch =
            app::withConfigFile({QStringLiteral("watch"), QStringLiteral("--config=") + path});
        QVERIFY(watch.ok());
        QVERIFY(watch->contains(QStringLiteral("--url=redis://a")));
        const QStringList none{QStringLiteral("list"), QStringLiteral("--config"), path};
        QCOMPARE(*app::withConfigFile(none), none);
    }

    void badFiles() {
        const QString path = file(QStringLiteral("b.conf"), "url redis://a\n");
        const Result<QStringList> bad =
            app::withConfigFile({QStringLiteral("notify"), QStringLiteral("--config"), path});
        QVERIFY(!bad.ok());
        QVERIFY2(bad.error().text.contains(QStringLiteral("line 1")), qPrintable(bad.error().text));
        QTest::failOnWarning(QRegularExpression(QStringLiteral("No file name")));
        QVERIFY(!app::withConfigFile({QStringLiteral("notify"), QStringLiteral("--config=")}).ok());
        QVERIFY(!app::withConfigFile({QStringLiteral("notify"), QStringLiteral("--config=/no/such")}).ok());
        QVERIFY(!app::withConfigFile({QStringLiteral("notify"), QStringLiteral("--config=/dev/zero")}).ok());
    }

    // Each command that takes a file: an option without its value would take the next one for it.
    void anOptionWithoutItsValueIsRefused() {
        const QString path = file(QStringLiteral("c.conf"), "lock\nweb-config = /nonexistent\n");
        for (const char* command : {"exporter", "notify", "watch"}) {
            const Result<QStringList> words =
                app::withConfigFile({QString::fromLatin1(command), QStringLiteral("--config"), path});
            QVERIFY2(!words.ok(), command);
            QVERIFY2(words.error().text.contains(QStringLiteral("line 1: 'lock'")), qPrintable(words.error().text));
        }
    }

    // By the time of a reload a descriptor is one of the program's own, and a FIFO would block.
    void whatCanBeReadOnceIsNotReadAgain() {
        const QString fifo = m_folder.filePath(QStringLiteral("fifo"));
        QCOMPARE(QProcess::execute(QStringLiteral("mkfifo"), {fifo}), 0);
        const auto again = [](const QStringList& words) {
            const Result<QStringList> whole = app::withConfigFileAgain(words);
            return whole ? QString() : whole.error().text;
        };
        const QString descriptor = file(QStringLiteral("d.conf"), "password-fd = 3\n");
        QVERIFY(again(words("exporter a --password-fd 3")).contains(QStringLiteral("--password-fd")));
        QVERIFY(again(words("notify a --exec cat --secret-fd=0")).contains(QStringLiteral("--secret-fd")));
        QVERIFY(again({QStringLiteral("exporter"), QStringLiteral("a"), QStringLiteral("--config"), descriptor})
                    .contains(QStringLiteral("--password-fd")));
        for (const char* option : {"--password-file", "--secret-file", "--webhook-file"})
            QVERIFY2(again({QStringLiteral("notify"), QStringLiteral("a"), QString::fromLatin1(option), fifo})
                         .contains(QString::fromLatin1(option)),
                     option);
        const QString regular = file(QStringLiteral("password"), "secret\n");
        QCOMPARE(again({QStringLiteral("exporter"), QStringLiteral("a"), QStringLiteral("--password-file"), regular}),
                 QString());
    }

    void credentialsOfSystemd() {
        file(QStringLiteral("hook"), "https://hook.example/secret\nsecond line");
        qputenv("CREDENTIALS_DIRECTORY", QFile::encodeName(m_folder.path()));
        const auto restore = qScopeGuard([] { qunsetenv("CREDENTIALS_DIRECTORY"); });
        const Result<Arguments> arguments = parse(words("notify a --webhook-file credential:hook"));
        QVERIFY(arguments.ok());
        QCOMPARE(arguments->notify.webhook, QByteArray("https://hook.example/secret"));
    }

    void sentences() {
        const serve::MessageWords text = app::messageWords();
        monitor::NoticeFacts facts;
        facts.kind = monitor::NoticeKind::Lost;
        facts.lock = LockName("orders/{42}");
        const serve::Case lost{QStringLiteral("a:1/0"), facts, {}, {}};
        QCOMPARE(text.event({serve::NoticeChange::Phase::Happened, lost, {}, false}),
                 QStringLiteral("a:1/0: orders/{42}: expired while it was held"));
        const serve::Case away{QStringLiteral("a:1/0"), std::nullopt, {}, WallTime()};
        QCOMPARE(text.event({serve::NoticeChange::Phase::Ended, away, {}, false}),
                 QStringLiteral("a:1/0: ended: not watched since 1970-01-01T00:00:00.000Z"));
        serve::Message message;
        message.moreBegun = 3;
        message.moreEnded = 2;
        QCOMPARE(text.summary(message), QStringLiteral("Lockkeeper: 3 begun, 2 ended"));
    }
};

LOCKKEEPER_TEST(TestNotifyOptions, Guiless)

}  // namespace tst_notifyoptions

#include "tst_notifyoptions.moc"
