// SPDX-License-Identifier: Apache-2.0
#include "app/cli/helptext.h"

#include "app/cli/commandline.h"

namespace lockkeeper::app {

namespace {

// Characters.
constexpr qsizetype indentation = 22;
constexpr qsizetype lineWidth = 120;

// The same in all languages.
const char usageLines[] = R"(lockkeeper [URL] [options]
       lockkeeper [list|watch|lock|semaphore|latch|force-release] --redisson-config FILE ... in place of a URL
       lockkeeper list --redisson-config FILE [--spring-profile NAME] [--env] --print-url [--json]
       lockkeeper [COMMAND] --profile NAME ... in place of a URL
       lockkeeper list URL|--demo [--json] [--match PATTERN]... [--read-only]
       lockkeeper list URL|--demo --clients [--for SECONDS] [--json] [--match PATTERN]... [--read-only]
       lockkeeper watch URL|--demo [--json] [--for SECONDS] [--match PATTERN]... [--prefix P]...
                  [--share PERCENT] [--read-only] [--record FILE [--record-limit SIZE] [--mask]]
       lockkeeper replay FILE [--json] [--from TIME] [--to TIME]
       lockkeeper replay FILE --save FILE [--from TIME] [--to TIME] [--record-limit SIZE] [--mask]
       lockkeeper replay FILE --window
       lockkeeper lock URL NAME [--kind KIND] [--wait SECONDS] [--lease SECONDS|--watchdog SECONDS]
                  [--on-lost kill|warn] [--wait-for command|session|all] [--grace SECONDS] -- COMMAND [ARGUMENT...]
       lockkeeper semaphore URL NAME [run [N]] [--wait SECONDS] [--expirable [--lease SECONDS] [--on-lost kill|warn]]
                  [--wait-for ...] [--grace SECONDS] -- COMMAND [ARGUMENT...]
       lockkeeper semaphore URL NAME permits|acquire [N]|release [N|ID]|set N|add N|remove N|drain|delete
                  [--wait SECONDS] [--expirable]
       lockkeeper latch URL NAME wait|count-down|count|set N|delete [--wait SECONDS]
       lockkeeper force-release URL NAME --holder UUID:THREAD [--count N] [--token N] --reason TEXT
                  [--confirm NAME] [--reader]
       lockkeeper force-release URL NAME --holder UUID:THREAD --with-dead-waiters --reason TEXT [--wait SECONDS]
                  [--confirm NAME]
       lockkeeper force-release URL --client UUID --reason TEXT [--wait SECONDS] [--confirm UUID]
       lockkeeper force-release URL NAME --waiter UUID:THREAD --reason TEXT [--wait SECONDS] [--confirm NAME]
       lockkeeper force-release URL NAME --permit ID --reason TEXT [--confirm NAME]
       lockkeeper set-ttl URL NAME --ttl SECONDS --holder UUID:THREAD [--count N] [--token N] --reason TEXT
                  [--confirm NAME]
       lockkeeper wake URL NAME --reason TEXT [--confirm NAME]
       lockkeeper threads URL --dump FILE [--client UUID] [--application PACKAGE]... [--zone ZONE] [--json]
       lockkeeper threads URL --actuator URL [--actuator-user NAME] [--address HOST:PORT] [--twice] [--print] ...
       lockkeeper threads URL --ssh LOGIN --address HOST:PORT [--pid N] [--sudo] [--twice] [--print] ...
       lockkeeper threads URL --kubectl POD [--namespace NAME] [--container NAME] [--twice] [--print] ...
       lockkeeper threads --profile NAME --get [--address HOST:PORT] [--pid N] [--twice] [--print] ...
       lockkeeper check URL [--json] [--match PATTERN]
       lockkeeper explain [URL] [FILE] [--zone ZONE] [--dump FILE] [--json]
       lockkeeper exporter [NAME=]URL... [--profile NAME]... [--listen ADDRESS:PORT] [--web-config FILE]
                  [--group-by SEPARATOR [--max-groups N]] [--lock PATTERN]... [--hold-buckets S,S...]
                  [--wait-buckets S,S...] [--match PATTERN]... [--prefix P]... [--share PERCENT]
                  [--config FILE]
       lockkeeper notify URL|--profile NAME... [--rule RULE]... --webhook URL|--webhook-file FILE|--exec COMMAND
                  [--template FORM] [--secret-file FILE] [--state FOLDER] [--config FILE] [--test]
       lockkeeper lab list [--json]
       lockkeeper lab show NAME [--stretch N]
       lockkeeper lab run NAME|all [--without-cause] [--stretch N] [--json]
       lockkeeper lab run NAME --record FILE [--record-limit SIZE] [--mask] [--without-cause] [--stretch N] [--json]
       lockkeeper audit [--verify] [--lock NAME] [--since TIME] [--json]
)";

struct HelpOption {
    const char* words;    // the same in all languages
    const char* meaning;  // to be translated
};

constexpr HelpOption helpOptions[] = {
    {"URL", QT_TRANSLATE_NOOP("CommandLine",
                              "redis://[user[:password]@]host[:port][/database], rediss:// for TLS "
                              "(?ca=FILE&cert=FILE&key=FILE&sni=NAME&tls-min=1.2|1.3&pin=SHA256), "
                              "unix:///path/to/redis.sock, redis://host,host for a master and its replicas, "
                              "redis-sentinel://host[:port],host[:port]/MASTER[/database], "
                              "redis-cluster://host[:port],host[:port][?publish=sharded], or just host or host:port; "
                              "?ssh=user@host[:port] with any but unix:// connects through that host by your ssh")},
    {"--redisson-config FILE",
     QT_TRANSLATE_NOOP("CommandLine",
                       "the servers of a configuration: of Redisson (YAML or JSON), of Spring (application.yml or "
                       ".properties), what a jar has of them, or a ConfigMap or Secret as kubectl prints it")},
    {"--spring-profile NAME",
     QT_TRANSLATE_NOOP("CommandLine", "the profile of Spring, if the configuration has documents for several")},
    {"--env",
     QT_TRANSLATE_NOOP("CommandLine",
                       "the ${VARIABLES} of the configuration have the values of the environment; only for a file that "
                       "you trust, because it decides which of them go to which server")},
    {"--print-url",
     QT_TRANSLATE_NOOP("CommandLine",
                       "list: print what a configuration says, without secrets and values of the environment, and "
                       "connect to nothing")},
    {"--options OPTIONS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "with --redisson-config: what a URL would have behind its ?, as 'ca=FILE&ssh=user@host'")},
    {"--profile NAME", QT_TRANSLATE_NOOP("CommandLine", "a connection that was saved in the window")},
    {"--demo",
     QT_TRANSLATE_NOOP("CommandLine", "start a private server with a few clients; it stops when the program exits")},
    {"--read-only", QT_TRANSLATE_NOOP("CommandLine", "send no command that writes")},
    {"--json", QT_TRANSLATE_NOOP(
                   "CommandLine",
                   "list, watch, threads, replay, audit, lab, check, explain: print one JSON object for each line")},
    {"--clients", QT_TRANSLATE_NOOP("CommandLine",
                                    "list: the clients that hold locks or queue for fair ones, in place of the locks")},
    {"--for SECONDS",
     QT_TRANSLATE_NOOP("CommandLine", "watch: exit after this time; list --clients: watch for this time before")},
    {"--match PATTERN",
     QT_TRANSLATE_NOOP("CommandLine", "only locks with such names; * ? [abc] as in SCAN; may be repeated")},
    {"--prefix P",
     QT_TRANSLATE_NOOP("CommandLine", "show new locks whose names begin with P at once; may be repeated")},
    {"--semaphores PATTERN",
     QT_TRANSLATE_NOOP("CommandLine",
                       "strings with such names are semaphores: shown also while nobody waits for them; may be "
                       "repeated")},
    {"--share PERCENT",
     QT_TRANSLATE_NOOP("CommandLine", "percent of one server core that the search for locks may use (default: 5)")},
    {"--kind KIND",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock: reentrant (default), fair, read, write, fenced, spin, nonreentrant or "
                       "nonreentrant-fair (both as those of Redisson 4); with fenced, COMMAND gets the token in the "
                       "variable LOCKKEEPER_TOKEN")},
    {"--name NAME",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock, semaphore, latch, force-release, set-ttl, wake: in place of NAME, for one that begins "
                       "with -")},
    {"--name-prefix P, --name-suffix S",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock, semaphore, latch: the Java clients have a NameMapper that adds these to each name")},
    {"--redisson-version V",
     QT_TRANSLATE_NOOP("CommandLine",
                       "and are of this version: before 3.52 they keep the queue of a fair lock under the name "
                       "without both")},
    {"--wait SECONDS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock, semaphore, latch: how long to wait; 0 tries once (default: no limit); force-release "
                       "--waiter: how long to watch whether the waiter is dead (default: 60)")},
    {"--expirable",
     QT_TRANSLATE_NOOP("CommandLine",
                       "semaphore: permits with ids and leases, as Redisson's RPermitExpirableSemaphore has them; "
                       "acquire prints the id, release takes it")},
    {"--lease SECONDS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock, semaphore --expirable: a fixed lease (default: renewed as long as COMMAND runs; a "
                       "permit of acquire has none)")},
    {"--watchdog SECONDS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock, semaphore --expirable: the lease that is renewed every third of it (default: 30)")},
    {"--fair-wait SECONDS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock --kind fair: how long the place in the queue is kept when this waiter is gone, as "
                       "Redisson's fairLockWaitTimeout (default: 300); with --wait, it is as long as that")},
    {"--on-lost kill|warn",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock: what to do if the lock is lost while COMMAND runs (default: warn); with kill, COMMAND "
                       "is ended a grace before the end of a lease that is not renewed")},
    {"--wait-for command|session|all",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock: keep the lock until COMMAND has ended, also what it has left in its session "
                       "(default), or all that it has started")},
    {"--grace SECONDS",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lock: between SIGTERM and SIGKILL, at the end of a lease at most a third of it: with "
                       "--lease and --on-lost kill, COMMAND has the lease less the grace; and how long an "
                       "unanswered attempt to take the lock is waited for at the end (default: 5)")},
    {"--holder UUID:THREAD, --count N, --token N",
     QT_TRANSLATE_NOOP("CommandLine",
                       "force-release, set-ttl: only if this holder has the lock, alone, with this reentry count "
                       "and this fencing token")},
    {"--reader", QT_TRANSLATE_NOOP("CommandLine",
                                   "force-release: take a read lock from this reader alone; the others keep theirs")},
    {"--waiter UUID:THREAD",
     QT_TRANSLATE_NOOP("CommandLine", "force-release: remove this waiter from a fair queue, once it is proven dead")},
    {"--client UUID", QT_TRANSLATE_NOOP("CommandLine",
                                        "force-release: remove all places of this client in the queues of fair locks, "
                                        "each once its waiter is proven dead; a waiter that lives is not touched")},
    {"--dump FILE",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "threads, explain: a thread dump of the JVM that holds the locks, as jstack or jcmd write it; what each "
         "holder's thread does, and whether it still lives")},
    {"--actuator URL, --ssh LOGIN, --kubectl POD, --get",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "threads: take a thread dump from Spring Boot's Actuator, by jcmd through ssh, by jcmd in a pod, "
         "or as the saved connection says; {host} in URL and LOGIN is the client's address. The Actuator's "
         "password comes from LOCKKEEPER_ACTUATOR_PASSWORD, or from the keychain")},
    {"--address HOST:PORT",
     QT_TRANSLATE_NOOP("CommandLine", "threads: where the client's connection comes from, as CLIENT LIST has it")},
    {"--pid N", QT_TRANSLATE_NOOP(
                    "CommandLine",
                    "threads --ssh: the process is confirmed; without it, what was found is printed, and nothing else "
                    "runs")},
    {"--twice", QT_TRANSLATE_NOOP("CommandLine", "threads: take two dumps, ten seconds apart")},
    {"--print", QT_TRANSLATE_NOOP("CommandLine", "threads: print the commands, and run nothing")},
    {"--client UUID",
     QT_TRANSLATE_NOOP("CommandLine", "threads: the dump is of this client, whatever its threads' numbers say")},
    {"--application PACKAGE",
     QT_TRANSLATE_NOOP("CommandLine",
                       "threads, explain: the application's packages begin so; without it, all but those of well-known "
                       "libraries do")},
    {"--with-dead-waiters",
     QT_TRANSLATE_NOOP("CommandLine",
                       "force-release: remove the dead waiters of the lock before, so that one that lives is woken")},
    {"--permit ID",
     QT_TRANSLATE_NOOP("CommandLine", "force-release: return this permit of the semaphore NAME; its lease is over")},
    {"--ttl SECONDS",
     QT_TRANSLATE_NOOP("CommandLine", "set-ttl: when the lock ends, if it never expires and is not renewed")},
    {"--reason TEXT", QT_TRANSLATE_NOOP("CommandLine", "force-release, set-ttl, wake: why; the audit keeps it")},
    {"--confirm NAME",
     QT_TRANSLATE_NOOP("CommandLine",
                       "force-release, set-ttl, wake: the name again; without it the terminal asks for "
                       "it. On production, and for a URL, --yes is not enough")},
    {"--yes",
     QT_TRANSLATE_NOOP("CommandLine", "the same: do not ask, on a saved connection of development or staging")},
    {"--verify", QT_TRANSLATE_NOOP("CommandLine", "audit: check that nothing in it was changed")},
    {"--listen ADDRESS:PORT",
     QT_TRANSLATE_NOOP("CommandLine",
                       "exporter: where /metrics is read (default: 127.0.0.1:19121); :PORT for all addresses; its "
                       "own options may also be variables, as LOCKKEEPER_EXPORTER_LISTEN")},
    {"--web-config FILE",
     QT_TRANSLATE_NOOP("CommandLine",
                       "exporter: a file with tls_server_config and basic_auth_users, as other exporters have it")},
    {"--group-by SEPARATOR",
     QT_TRANSLATE_NOOP("CommandLine",
                       "exporter: figures for each group of locks, by their names up to the first SEPARATOR")},
    {"--max-groups N",
     QT_TRANSLATE_NOOP("CommandLine", "exporter: at most so many groups, all other locks in 'other' (default: 50)")},
    {"--lock PATTERN",
     QT_TRANSLATE_NOOP("CommandLine",
                       "exporter: also figures for each lock with such a name, at most 100; may be repeated")},
    {"--hold-buckets S,S..., --wait-buckets S,S...",
     QT_TRANSLATE_NOOP("CommandLine", "exporter: bounds of the histograms of hold and wait times, in seconds")},
    {"--lock NAME, --since TIME",
     QT_TRANSLATE_NOOP("CommandLine",
                       "audit: only what is about this lock, and from this time on (2026-11-23T12:00:00Z)")},
    {"--without-cause",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lab run: without the cause of what the experiment shows, so that it must end differently")},
    {"--stretch N",
     QT_TRANSLATE_NOOP("CommandLine",
                       "lab show, lab run: all times of the experiment N times as long (1 to 10), so that you can "
                       "follow it")},
    {"--record FILE", QT_TRANSLATE_NOOP("CommandLine", "watch, lab run: also record what is seen into this new file")},
    {"--record-limit SIZE",
     QT_TRANSLATE_NOOP("CommandLine",
                       "--record, replay --save: the file's greatest size, as 500M or 2G (default: 1G); the "
                       "recording ends there, watching does not")},
    {"--mask",
     QT_TRANSLATE_NOOP("CommandLine",
                       "the same: other words in place of names, ids and addresses, the same ones in the whole file")},
    {"--zone ZONE",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "explain, threads: the zone of times that name none, such as Europe/Berlin or +08:00 (default: that of "
         "this machine); explain: FILE is a log or a stack trace, without it the standard input is read")},
    {"--rule RULE",
     QT_TRANSLATE_NOOP("CommandLine",
                       "notify: what begins and ends, as 'diagnosis=any certainty=likely', 'held=300 match=orders/*', "
                       "'ttl=10', 'waiters=5' or 'lost'; may be repeated")},
    {"--webhook URL, --webhook-file FILE",
     QT_TRANSLATE_NOOP("CommandLine", "notify: where messages are sent; of the file the first line")},
    {"--template FORM",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "notify: slack, teams, dingtalk, feishu, or a file with a JSON object (default: JSON as the manual "
         "has it)")},
    {"--secret-file FILE, --secret-fd N",
     QT_TRANSLATE_NOOP("CommandLine", "notify: messages are signed with the first line")},
    {"--webhook-ca FILE, --insecure",
     QT_TRANSLATE_NOOP("CommandLine",
                       "notify: certificates that the receiver's must be signed by; allow http in place of https")},
    {"--exec COMMAND",
     QT_TRANSLATE_NOOP("CommandLine",
                       "notify: in place of a webhook, a command that reads each message; no shell reads it")},
    {"--state FOLDER", QT_TRANSLATE_NOOP("CommandLine", "notify: where messages wait until they are sent")},
    {"--test", QT_TRANSLATE_NOOP("CommandLine", "notify: send a test message, and exit")},
    {"--log-format F, --log-level L",
     QT_TRANSLATE_NOOP("CommandLine",
                       "exporter, notify: logfmt (default) or json; debug, info (default), warning or error")},
    {"--config FILE, --url URL",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "exporter, notify, watch: more options from a file, a line each, as 'url = redis://host'; credential:NAME in "
         "place of a file is a credential of systemd")},
    {"--from TIME, --to TIME", QT_TRANSLATE_NOOP("CommandLine", "replay: only this part (2026-11-23T12:00:00Z)")},
    {"--save FILE",
     QT_TRANSLATE_NOOP("CommandLine", "replay: write the part into this new file, in place of printing it")},
    {"--window", QT_TRANSLATE_NOOP("CommandLine", "replay: show the recording in the window")},
    {"--screenshot FILE",
     QT_TRANSLATE_NOOP("CommandLine", "window: save a screenshot after the first sweep, and exit")},
    {"--help, --version", ""},
    {"--password-file FILE, --password-fd N",
     QT_TRANSLATE_NOOP("CommandLine",
                       "the first line of a file, or of an open file descriptor, is the server's password")},
};

constexpr const char* closingParagraphs[] = {
    QT_TRANSLATE_NOOP("CommandLine",
                      "Else pass the password in the environment variable LOCKKEEPER_PASSWORD rather than in the "
                      "URL (programs of the same user can read it at the start of this one), that of the Sentinels "
                      "in LOCKKEEPER_SENTINEL_PASSWORD, that of the user who writes for a saved connection in "
                      "LOCKKEEPER_WRITING_PASSWORD, that of an Actuator in LOCKKEEPER_ACTUATOR_PASSWORD, and the pass "
                      "phrase of a key file in LOCKKEEPER_KEY_PASSPHRASE."),
    QT_TRANSLATE_NOOP("CommandLine",
                      "Exit codes: 0 done, 2 wrong usage, 3 no connection or no answer, 7 the server refuses, 74 "
                      "the output cannot be written;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "lock: that of COMMAND (128 + N after signal N), 75 not obtained in time, 76 lost while "
                      "COMMAND ran, 77 the lock may stay until its lease ends, 126 COMMAND cannot be executed, 127 "
                      "it is not found;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "semaphore, latch: the same, 1 if nothing was changed, and 77 also for a change whose answer "
                      "is lost;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "force-release, set-ttl, wake: 4 something else holds the lock, 5 the server has not "
                      "answered, 6 the audit cannot be written, so nothing was sent, 8 the lock is free already, 9 "
                      "not confirmed, not possible for this kind of lock, or a waiter not proven dead;"),
    QT_TRANSLATE_NOOP("CommandLine", "explain: 1 no error about a lock was found, 66 the file cannot be read;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "threads: 9 a process was found and is to be confirmed with --pid, 12 the dump is of none of the "
                      "clients, 66 there is no dump that can be read;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "notify: 74 the test message was not taken, or the folder of the state cannot be used;"),
    QT_TRANSLATE_NOOP("CommandLine", "--record: 74 also if nothing can be recorded;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "replay: 11 the file is damaged and was read up to there, 66 it is no recording, or of a "
                      "newer version;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "lab run: 1 an experiment has ended differently than expected, 3 no server can be started;"),
    QT_TRANSLATE_NOOP("CommandLine",
                      "exporter: 13 its address is in use or none of this machine, 66 a file of its options cannot be "
                      "used;"),
    QT_TRANSLATE_NOOP("CommandLine", "audit: 6 it cannot be read, 10 --verify has found a change.")};

QString translated(const char* text) {
    return *text ? CommandLine::tr(text) : QString();
}

// Begins the first line with `line`, and indents all others.
QString wrapped(const QString& text, qsizetype indent, QString line) {
    QString result;
    bool isFirst = true;
    for (const QString& word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (!isFirst && line.size() + 1 + word.size() > lineWidth) {
            result += line + u'\n';
            line = QString(indent, u' ');
            isFirst = true;
        }
        line += (isFirst ? QString() : QStringLiteral(" ")) + word;
        isFirst = false;
    }
    return result + line + u'\n';
}

// An option with many words has a line of its own.
QString optionText(const HelpOption& option) {
    const QString words = QStringLiteral("  ") + QString::fromLatin1(option.words);
    if (!*option.meaning)
        return words + u'\n';
    const bool isLong = words.size() + 1 > indentation;
    return (isLong ? words + u'\n' : QString()) +
           wrapped(translated(option.meaning), indentation, (isLong ? QString() : words).leftJustified(indentation));
}

}  // namespace

QString helpText() {
    QString text =
        CommandLine::tr("Usage: %1", "the forms of the command line follow").arg(QString::fromLatin1(usageLines));
    text +=
        u'\n' + wrapped(CommandLine::tr(
                            "Shows the locks that Redisson keeps in Redis or Valkey, and acquires and releases them. "
                            "Without one of these words it opens the window, which the package lockkeeper-gui has."),
                        0, {});
    text += u'\n';
    for (const HelpOption& option : helpOptions)
        text += optionText(option);
    text += u'\n';
    for (const char* paragraph : closingParagraphs)
        text += wrapped(translated(paragraph), 0, {});
    return text;
}

}  // namespace lockkeeper::app
