// SPDX-License-Identifier: Apache-2.0
#include "serve/optionsfile.h"
#include "serve/servecause.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_optionsfile {

using namespace lockkeeper;
using namespace lockkeeper::serve;

class TestOptionsFile : public QObject {
    Q_OBJECT

private:
    static std::optional<bool> takesValue(const QString& name) {
        if (name == QLatin1String("unknown"))
            return std::nullopt;
        return name != QLatin1String("insecure");
    }

private Q_SLOTS:
    void linesAreOptions_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const char* bytes, const QStringList& arguments) {
            QTest::newRow(name) << QByteArray(bytes) << arguments;
        };
        row("nothing", "", {});
        row("comments", "# a = b\n\n   # c\n", {});
        row("value", "url = redis://a", {QStringLiteral("--url=redis://a")});
        row("no blanks", "url=redis://a\r\n", {QStringLiteral("--url=redis://a")});
        row("an option alone", " insecure \n", {QStringLiteral("--insecure")});
        row("= and # in a value", "rule = held=5 match=a#b", {QStringLiteral("--rule=held=5 match=a#b")});
        row("empty value", "state =", {QStringLiteral("--state=")});
        row("repeated, in order", "rule = lost\nrule = ttl=1\n",
            {QStringLiteral("--rule=lost"), QStringLiteral("--rule=ttl=1")});
        row("a mark of the byte order", "\xef\xbb\xbfurl = a\n", {QStringLiteral("--url=a")});
        row("unknown ones are refused later", "unknown\nunknown = a",
            {QStringLiteral("--unknown"), QStringLiteral("--unknown=a")});
        row("UTF-8", "rule = lost match=\xe4\xbd\xa0", {QStringLiteral("--rule=lost match=你")});
    }
    void linesAreOptions() {
        QFETCH(const QByteArray, bytes);
        const Result<QStringList> arguments = argumentsOf(bytes, takesValue);
        QVERIFY(arguments.ok());
        QTEST(*arguments, "arguments");
    }

    void badLines_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<ServeCause>("cause");
        QTest::addColumn<QString>("firstArgument");
        const auto row = [](const char* name, const QByteArray& bytes, ServeCause cause, const char* argument) {
            QTest::newRow(name) << bytes << cause << QString::fromLatin1(argument);
        };
        row("dashes", "# c\n--url = a", ServeCause::OptionNameInvalid, "2");
        row("no name", "= a", ServeCause::OptionNameInvalid, "1");
        row("blank in a name", "log level = debug", ServeCause::OptionNameInvalid, "1");
        row("capital", "Url = a", ServeCause::OptionNameInvalid, "1");
        row("section", "[notify]", ServeCause::OptionNameInvalid, "1");
        row("itself", "\n\nconfig = a", ServeCause::OptionNotInFile, "3");
        row("help", "help", ServeCause::OptionNotInFile, "1");
        // As an argument it would take the next one for its value.
        row("no value", "url = a\nlock\nurl = b", ServeCause::OptionWithoutValue, "2");
        row("a value too many", "insecure = yes", ServeCause::OptionWithValue, "1");
        row("no UTF-8", "url = \xff", ServeCause::OptionsNotUtf8, "1");
        row("too large", QByteArray(largestOptionsFile + 1, '\n'), ServeCause::OptionsTooLarge, "65536");
    }
    void badLines() {
        QFETCH(const QByteArray, bytes);
        QFETCH(const ServeCause, cause);
        const Result<QStringList> arguments = argumentsOf(bytes, takesValue);
        QVERIFY(!arguments.ok());
        QVERIFY(arguments.error().cause == cause);
        QTEST(arguments.error().arguments.first(), "firstArgument");
    }
};

LOCKKEEPER_TEST(TestOptionsFile, Appless)

}  // namespace tst_optionsfile

#include "tst_optionsfile.moc"
