// SPDX-License-Identifier: Apache-2.0
#include "app/cli/startup.h"

#include "app/cli/commandline.h"
#include "app/cli/exitcode.h"
#include "base/exacttext.h"
#include "base/safetext.h"
#include "platform/standardoutput.h"
#include "ui/words/causetext.h"
#include "ui/words/redissontext.h"

#include <QTextStream>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace lockkeeper::app {

namespace {

// Removed from the environment at once, so that no child process gets the password, and overwritten, because the system
// shows what a program was started with to the user's other programs.
QByteArray takePassword(const char* variable) {
    const QByteArray password = qgetenv(variable);
    if (char* original = std::getenv(variable))
        std::fill_n(original, std::strlen(original), '\0');
    qunsetenv(variable);
    return password;
}

}  // namespace

void nameApplication() {
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
}

// Arguments that cannot be converted exactly are refused: a changed name or file would be another one.
Result<QStringList> wordsOf(int argc, char* argv[]) {
    QStringList words;
    for (int i = 1; i < argc; ++i) {
        const std::optional<QString> word = decodedUtf8(argv[i]);
        if (!word)
            return Error(ErrorCode::InvalidArgument,
                         CommandLine::tr("not UTF-8: argument %1, '%2'").arg(i).arg(boundedName(LockName(argv[i]))));
        words += *word;
    }
    return words;
}

Passwords takePasswords() {
    return {takePassword("LOCKKEEPER_PASSWORD"), takePassword("LOCKKEEPER_SENTINEL_PASSWORD"),
            takePassword("LOCKKEEPER_KEY_PASSPHRASE"), takePassword("LOCKKEEPER_WRITING_PASSWORD"),
            takePassword("LOCKKEEPER_ACTUATOR_PASSWORD")};
}

Result<Arguments> readArguments(const QStringList& words, const Lookups& lookups) {
    return Arguments::parse(words, takePasswords(), lookups);
}

int refuse(const Error& why) {
    complain(ui::errorClause(why));
    QTextStream(stderr) << CommandLine::tr("Try 'lockkeeper --help'.") << '\n';
    return codeOf(ExitCode::Usage);
}

int print(const QString& text) {
    if (platform::writeToStandardOutput(text.toUtf8(), [] { return false; }) == platform::Written::Whole)
        return codeOf(ExitCode::Done);
    complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
    return codeOf(ExitCode::OutputFailed);
}

void printNotes(const Arguments& arguments) {
    for (const profile::RedissonNote& note : arguments.notes)
        complain(ui::redissonText(note, ui::NotePlace::Terminal));
}

}  // namespace lockkeeper::app
