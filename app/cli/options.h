// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"

#include <QCommandLineParser>

#include <chrono>
#include <initializer_list>
#include <optional>

namespace lockkeeper::app {

// Every option of the command line.
struct Options {
    QCommandLineOption demo{QStringLiteral("demo")};
    QCommandLineOption redisson{QStringLiteral("redisson-config"), QString(), QStringLiteral("file")};
    QCommandLineOption urlOptions{QStringLiteral("options"), QString(), QStringLiteral("options")};
    QCommandLineOption springProfile{QStringLiteral("spring-profile"), QString(), QStringLiteral("name")};
    QCommandLineOption env{QStringLiteral("env")};
    QCommandLineOption printUrl{QStringLiteral("print-url")};
    QCommandLineOption profile{QStringLiteral("profile"), QString(), QStringLiteral("name")};
    QCommandLineOption readOnly{QStringLiteral("read-only")};
    QCommandLineOption json{QStringLiteral("json")};
    QCommandLineOption clients{QStringLiteral("clients")};
    QCommandLineOption watchFor{QStringLiteral("for"), QString(), QStringLiteral("seconds")};
    QCommandLineOption match{QStringLiteral("match"), QString(), QStringLiteral("pattern")};
    QCommandLineOption prefix{QStringLiteral("prefix"), QString(), QStringLiteral("prefix")};
    QCommandLineOption semaphores{QStringLiteral("semaphores"), QString(), QStringLiteral("pattern")};
    QCommandLineOption share{QStringLiteral("share"), QString(), QStringLiteral("percent")};
    QCommandLineOption kind{QStringLiteral("kind"), QString(), QStringLiteral("kind")};
    QCommandLineOption wait{QStringLiteral("wait"), QString(), QStringLiteral("seconds")};
    QCommandLineOption lease{QStringLiteral("lease"), QString(), QStringLiteral("seconds")};
    QCommandLineOption fairWait{QStringLiteral("fair-wait"), QString(), QStringLiteral("seconds")};
    QCommandLineOption watchdog{QStringLiteral("watchdog"), QString(), QStringLiteral("seconds")};
    QCommandLineOption onLost{QStringLiteral("on-lost"), QString(), QStringLiteral("action")};
    QCommandLineOption name{QStringLiteral("name"), QString(), QStringLiteral("name")};
    QCommandLineOption namePrefix{QStringLiteral("name-prefix"), QString(), QStringLiteral("prefix")};
    QCommandLineOption nameSuffix{QStringLiteral("name-suffix"), QString(), QStringLiteral("suffix")};
    QCommandLineOption redissonVersion{QStringLiteral("redisson-version"), QString(), QStringLiteral("version")};
    QCommandLineOption waitFor{QStringLiteral("wait-for"), QString(), QStringLiteral("what")};
    QCommandLineOption expirable{QStringLiteral("expirable")};
    QCommandLineOption grace{QStringLiteral("grace"), QString(), QStringLiteral("seconds")};
    QCommandLineOption passwordFile{QStringLiteral("password-file"), QString(), QStringLiteral("file")};
    QCommandLineOption passwordFd{QStringLiteral("password-fd"), QString(), QStringLiteral("number")};
    QCommandLineOption holder{QStringLiteral("holder"), QString(), QStringLiteral("holder")};
    QCommandLineOption count{QStringLiteral("count"), QString(), QStringLiteral("number")};
    QCommandLineOption token{QStringLiteral("token"), QString(), QStringLiteral("number")};
    QCommandLineOption reader{QStringLiteral("reader")};
    QCommandLineOption waiter{QStringLiteral("waiter"), QString(), QStringLiteral("waiter")};
    QCommandLineOption client{QStringLiteral("client"), QString(), QStringLiteral("client")};
    QCommandLineOption withDeadWaiters{QStringLiteral("with-dead-waiters")};
    QCommandLineOption dump{QStringLiteral("dump"), QString(), QStringLiteral("file")};
    QCommandLineOption getDump{QStringLiteral("get")};
    QCommandLineOption actuator{QStringLiteral("actuator"), QString(), QStringLiteral("url")};
    QCommandLineOption actuatorUser{QStringLiteral("actuator-user"), QString(), QStringLiteral("name")};
    QCommandLineOption ssh{QStringLiteral("ssh"), QString(), QStringLiteral("login")};
    QCommandLineOption sudo{QStringLiteral("sudo")};
    QCommandLineOption pid{QStringLiteral("pid"), QString(), QStringLiteral("number")};
    QCommandLineOption kubectl{QStringLiteral("kubectl"), QString(), QStringLiteral("pod")};
    QCommandLineOption kubeNamespace{QStringLiteral("namespace"), QString(), QStringLiteral("name")};
    QCommandLineOption container{QStringLiteral("container"), QString(), QStringLiteral("name")};
    QCommandLineOption address{QStringLiteral("address"), QString(), QStringLiteral("address")};
    QCommandLineOption twice{QStringLiteral("twice")};
    QCommandLineOption print{QStringLiteral("print")};
    QCommandLineOption application{QStringLiteral("application"), QString(), QStringLiteral("package")};
    QCommandLineOption permit{QStringLiteral("permit"), QString(), QStringLiteral("id")};
    QCommandLineOption ttl{QStringLiteral("ttl"), QString(), QStringLiteral("seconds")};
    QCommandLineOption reason{QStringLiteral("reason"), QString(), QStringLiteral("text")};
    QCommandLineOption yes{QStringLiteral("yes")};
    QCommandLineOption confirm{QStringLiteral("confirm"), QString(), QStringLiteral("name")};
    QCommandLineOption verify{QStringLiteral("verify")};
    QCommandLineOption lock{QStringLiteral("lock"), QString(), QStringLiteral("name")};
    QCommandLineOption since{QStringLiteral("since"), QString(), QStringLiteral("time")};
    QCommandLineOption withoutCause{QStringLiteral("without-cause")};
    QCommandLineOption stretch{QStringLiteral("stretch"), QString(), QStringLiteral("number")};
    QCommandLineOption record{QStringLiteral("record"), QString(), QStringLiteral("file")};
    QCommandLineOption recordLimit{QStringLiteral("record-limit"), QString(), QStringLiteral("size")};
    QCommandLineOption mask{QStringLiteral("mask")};
    QCommandLineOption zone{QStringLiteral("zone"), QString(), QStringLiteral("zone")};
    QCommandLineOption from{QStringLiteral("from"), QString(), QStringLiteral("time")};
    QCommandLineOption to{QStringLiteral("to"), QString(), QStringLiteral("time")};
    QCommandLineOption save{QStringLiteral("save"), QString(), QStringLiteral("file")};
    QCommandLineOption window{QStringLiteral("window")};
    QCommandLineOption listen{QStringLiteral("listen"), QString(), QStringLiteral("address")};
    QCommandLineOption webConfig{QStringLiteral("web-config"), QString(), QStringLiteral("file")};
    QCommandLineOption groupBy{QStringLiteral("group-by"), QString(), QStringLiteral("separator")};
    QCommandLineOption maxGroups{QStringLiteral("max-groups"), QString(), QStringLiteral("number")};
    QCommandLineOption holdBuckets{QStringLiteral("hold-buckets"), QString(), QStringLiteral("seconds")};
    QCommandLineOption waitBuckets{QStringLiteral("wait-buckets"), QString(), QStringLiteral("seconds")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"), QString(), QStringLiteral("file")};
    // Of what runs as a service
    QCommandLineOption config{QStringLiteral("config"), QString(), QStringLiteral("file")};
    QCommandLineOption url{QStringLiteral("url"), QString(), QStringLiteral("url")};
    QCommandLineOption rule{QStringLiteral("rule"), QString(), QStringLiteral("rule")};
    QCommandLineOption webhook{QStringLiteral("webhook"), QString(), QStringLiteral("url")};
    QCommandLineOption webhookFile{QStringLiteral("webhook-file"), QString(), QStringLiteral("file")};
    QCommandLineOption webhookCa{QStringLiteral("webhook-ca"), QString(), QStringLiteral("file")};
    QCommandLineOption form{QStringLiteral("template"), QString(), QStringLiteral("form")};
    QCommandLineOption secretFile{QStringLiteral("secret-file"), QString(), QStringLiteral("file")};
    QCommandLineOption secretFd{QStringLiteral("secret-fd"), QString(), QStringLiteral("number")};
    QCommandLineOption insecure{QStringLiteral("insecure")};
    QCommandLineOption exec{QStringLiteral("exec"), QString(), QStringLiteral("command")};
    QCommandLineOption state{QStringLiteral("state"), QString(), QStringLiteral("folder")};
    QCommandLineOption test{QStringLiteral("test")};
    QCommandLineOption logFormat{QStringLiteral("log-format"), QString(), QStringLiteral("format")};
    QCommandLineOption logLevel{QStringLiteral("log-level"), QString(), QStringLiteral("level")};
    QCommandLineOption help{{QStringLiteral("h"), QStringLiteral("help")}};
    QCommandLineOption version{{QStringLiteral("v"), QStringLiteral("version")}};

    [[nodiscard]] QList<QCommandLineOption> all() const;
};

// A sentence for stderr.
[[nodiscard]] Error usage(const QString& what);
// A number of seconds, fractions allowed, as milliseconds.
[[nodiscard]] std::optional<std::chrono::milliseconds> secondsOf(const QString& text, double least);
[[nodiscard]] bool isAnySet(const QCommandLineParser& parser, std::initializer_list<const QCommandLineOption*> some);

// The command with that name; nothing if there is none.
[[nodiscard]] std::optional<Arguments::Face> faceOf(const QString& word);
// Where the command that is to be run begins, by its "--"; negative without one. The words before it are the program's.
[[nodiscard]] qsizetype separatorIn(const QStringList& arguments);
[[nodiscard]] QStringList ownWords(const QStringList& arguments);
// Whether the option with this long name takes a value; nothing if there is none.
[[nodiscard]] std::optional<bool> takesValue(const QString& name);
// arguments: without the program's name. False: the parser has an error.
[[nodiscard]] bool parseOptions(QCommandLineParser& parser, const Options& options, const QStringList& arguments);

[[nodiscard]] bool isSynchronizer(Arguments::Face face);
// Whether the command takes the options of a lock, as semaphore and latch do.
[[nodiscard]] bool isLocking(Arguments::Face face);
[[nodiscard]] bool takesName(Arguments::Face face);

}  // namespace lockkeeper::app
