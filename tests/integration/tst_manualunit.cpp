// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

namespace tst_manualunit {

using namespace lockkeeper;

namespace {

struct Setting {
    QString section;
    QString key;
    QString value;
};

// The indented lines behind the sentence that names the unit's file, to the next text.
QString unitOfTheManual() {
    QFile manual(test::places::manual() + QStringLiteral("/recordings.md"));
    if (!manual.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(manual.fileName()));
    const QString text = QString::fromUtf8(manual.readAll());
    const qsizetype sentence = text.indexOf(QStringLiteral("~/.config/systemd/user/lockkeeper-record.service`:\n"));
    const qsizetype begin = text.indexOf(QStringLiteral("\n    ["), sentence);
    if (sentence < 0 || begin < 0)
        qFatal("the manual has no unit");
    QString unit = text.mid(begin + 1);
    static const QRegularExpression nextText(QStringLiteral("\n(?! {4}|\n)"));
    unit.truncate(unit.indexOf(nextText));
    static const QRegularExpression indentation(QStringLiteral("^ {4}"), QRegularExpression::MultilineOption);
    return unit.remove(indentation).trimmed() + u'\n';
}

// systemd ignores what it does not understand, with a line in its log. So the test takes everything else for an
// error: only these keys, with such values, are known.
bool isKnown(const Setting& setting) {
    static const QString time = QStringLiteral(R"([1-9]\d*(ms|s|min|h|d|w)?)");
    static const QString command = QStringLiteral("/[^ ]+( .+)?");
    static const std::vector<Setting> known{
        {"Unit", "Description", ".+"},
        {"Service", "Environment", "[A-Z_]+=[^ \"']*"},
        {"Service", "ExecStartPre", command},
        {"Service", "ExecStart", command},
        {"Service", "StandardOutput", "null|journal|inherit"},
        {"Service", "RuntimeMaxSec", time},
        {"Service", "Restart", "no|always|on-success|on-failure|on-abnormal|on-abort|on-watchdog"},
        {"Service", "RestartSec", time},
        {"Service", "UMask", "0[0-7]{3}"},
        {"Install", "WantedBy", R"([a-z-]+\.target)"},
    };
    return std::ranges::any_of(known, [&setting](const Setting& one) {
        const QRegularExpression value(QRegularExpression::anchoredPattern(one.value));
        return one.section == setting.section && one.key == setting.key && value.match(setting.value).hasMatch();
    });
}

// Nothing, and the test fails, if a line does not belong into a unit.
std::optional<std::vector<Setting>> settingsOf(const QString& unit) {
    std::vector<Setting> settings;
    QString section;
    for (const QString& line : unit.split(u'\n', Qt::SkipEmptyParts)) {
        if (line.startsWith(u'[') && line.endsWith(u']')) {
            section = line.sliced(1).chopped(1);
            continue;
        }
        settings.push_back({section, line.section(u'=', 0, 0), line.section(u'=', 1)});
        if (!isKnown(settings.back())) {
            qWarning("not understood: %s", qPrintable(line));
            return std::nullopt;
        }
    }
    return settings;
}

// The words of a command line as systemd splits it: it knows quotes, and replaces %h and %%. Nothing if
// the command line has other specifiers, ${NAME} or backslashes, which systemd would replace as well.
std::optional<QStringList> wordsOf(const QString& commandLine, const QString& home) {
    static const QRegularExpression word(QStringLiteral("\\G(?:'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+))(?:\\s+|$)"));
    static const QRegularExpression other(QStringLiteral(R"(%(?![h%])|\$\{|\\)"));
    static const QRegularExpression specifier(QStringLiteral("%([h%])"));
    QStringList words;
    qsizetype end = 0;
    for (QRegularExpressionMatchIterator it = word.globalMatch(commandLine); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        end = match.capturedEnd();
        const QString text = match.captured(1) + match.captured(2) + match.captured(3);
        QString shown;
        qsizetype from = 0;
        for (QRegularExpressionMatchIterator at = specifier.globalMatch(text); at.hasNext();) {
            const QRegularExpressionMatch found = at.next();
            shown += QStringView(text).sliced(from, found.capturedStart() - from);
            shown += found.captured(1) == u'h' ? home : QStringLiteral("%");
            from = found.capturedEnd();
        }
        words += shown + text.sliced(from);
    }
    const bool isWhole =
        end == commandLine.size() && !QString(commandLine).remove(QStringLiteral("%%")).contains(other);
    return isWhole ? std::optional(words) : std::nullopt;
}

}  // namespace

// The service of systemd that the manual offers for recordings of days. No systemd runs here: what it would do with the
// unit is done by the test.
class TestManualUnit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_home.isValid());
        const std::optional<std::vector<Setting>> settings = settingsOf(unitOfTheManual());
        QVERIFY(settings);
        m_settings = *settings;
    }

    void itHasWhatAServiceNeeds() {
        QCOMPARE(valuesOf("ExecStart").size(), 1);
        QCOMPARE(valuesOf("WantedBy"), QStringList{"default.target"});
        QCOMPARE(valuesOf("Restart"), QStringList{"always"});  // the time of RuntimeMaxSec ends it as a failure
        QCOMPARE(valuesOf("UMask"), QStringList{"0077"});
    }

    void whatSystemdDoesNotUnderstandIsFound_data() {
        QTest::addColumn<QString>("line");
        for (const char* line : {"RuntimeMxSec=1d", "RuntimeMaxSec=1x", "Restart=allways", "ExecStart=lockkeeper watch",
                                 "UMask=77", "WantedBy=default.target", "Environment=a b", "exec"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void whatSystemdDoesNotUnderstandIsFound() {
        QFETCH(const QString, line);
        QTest::ignoreMessage(QtWarningMsg, qPrintable(QStringLiteral("not understood: ") + line));
        QVERIFY(!settingsOf(QStringLiteral("[Service]\n") + line));
    }

    void itsCommandLineIsSplitAsBySystemd() {
        QCOMPARE(wordsOf("/a %h/b 'c \"$D\" %%Y' \"e f\"", "/home/me"),
                 std::optional(QStringList{"/a", "/home/me/b", "c \"$D\" %Y", "e f"}));
        for (const char* unknown : {"/a %Y", "/a ${B}", "/a b\\x20c", "/a 'b", "/a 'b'c"})
            QVERIFY2(!wordsOf(unknown, "/home/me"), unknown);
    }

    void systemdFindsNothingWrong() {
        QFile unit(m_home.filePath("lockkeeper-record.service"));
        QVERIFY(unit.open(QIODevice::WriteOnly));
        unit.write(unitOfTheManual().toUtf8());
        unit.close();
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setProcessEnvironment(environment());
        process.start(test::tool("systemd-analyze", "systemd"), {"verify", "--user", "--man=no", unit.fileName()});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAll(), QByteArray());
        QCOMPARE(process.exitCode(), 0);
    }

    // Uses the address of a server of the test in place of the unit's.
    void itRecordsUntilItIsEnded() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        run(valuesOf("ExecStartPre").value(0));
        QVERIFY(m_process.waitForFinished());
        QCOMPARE(m_process.exitCode(), 0);
        QString command = valuesOf("ExecStart").value(0);
        QCOMPARE(command.count("redis://cache.example"), 1);
        run(command.replace("redis://cache.example", server.url()));
        QByteArray shown;
        QTRY_VERIFY2((shown += m_process.readAllStandardOutput()).contains("found"),
                     m_process.readAllStandardError().constData());
        m_process.terminate();
        QVERIFY(m_process.waitForFinished());
        QCOMPARE(m_process.readAllStandardError(), QByteArray());
        QCOMPARE(m_process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(m_process.exitCode(), 0);
        const QDir folder(m_home.filePath("recordings"));
        const QStringList files = folder.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        static const QRegularExpression name(QStringLiteral(R"(^\d{4}-\d\d-\d\d-\d{6}\.lkrec$)"));
        QVERIFY2(files.front().contains(name), qPrintable(files.front()));
        const recording::RecordingFile::Opened opened = recording::RecordingFile::open(folder.filePath(files.front()));
        QVERIFY(opened.file);
        QVERIFY(!opened.file->blocks().empty());
    }

private:
    [[nodiscard]] QStringList valuesOf(const char* key) const {
        QStringList values;
        for (const Setting& setting : m_settings) {
            if (setting.key == QLatin1String(key))
                values += setting.value;
        }
        return values;
    }
    // With this build's program first on the PATH, and the variables of the unit.
    [[nodiscard]] QProcessEnvironment environment() const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QFileInfo(test::places::program()).path() + ':' + environment.value("PATH"));
        environment.insert("HOME", m_home.path());
        environment.insert("XDG_RUNTIME_DIR", m_home.path());
        for (const QString& variable : valuesOf("Environment"))
            environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
        return environment;
    }
    void run(const QString& commandLine) {
        std::optional<QStringList> words = wordsOf(commandLine, m_home.path());
        QVERIFY2(words && !words->isEmpty(), qPrintable(commandLine));
        const QString program = words->takeFirst();
        m_process.setProcessEnvironment(environment());
        m_process.start(program, *words);
        QVERIFY2(m_process.waitForStarted(), qPrintable(m_process.errorString()));
    }

    const QTemporaryDir m_home;
    std::vector<Setting> m_settings;
    QProcess m_process;
};

LOCKKEEPER_TEST(TestManualUnit, Guiless)

}  // namespace tst_manualunit

#include "tst_manualunit.moc"
