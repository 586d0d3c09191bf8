// SPDX-License-Identifier: Apache-2.0
#include "lab/run/decidingline.h"
#include "lab/run/scriptsources.h"
#include "redis/script.h"
#include "support/testprogram.h"

#include <QTest>

#include <lua.hpp>

namespace tst_decidingline {

using namespace lockkeeper;
using namespace lockkeeper::lab;

namespace {

using Calls = std::vector<QByteArrayList>;

// The script made of these files of the locks.
QByteArray scriptOf(const QStringList& files) {
    QStringList paths;
    for (const QString& file : files)
        paths += QStringLiteral("locks/lua/%1.lua").arg(file);
    return redis::Script::joined(paths).source();
}

QByteArray compiled(const char* source) {
    QByteArray bytes;
    const auto append = [](lua_State*, const void* part, size_t size, void* all) {
        static_cast<QByteArray*>(all)->append(static_cast<const char*>(part), static_cast<qsizetype>(size));
        return 0;
    };
    const std::unique_ptr<lua_State, decltype(&lua_close)> lua(luaL_newstate(), &lua_close);
    if (luaL_loadstring(lua.get(), source) != 0 || lua_dump(lua.get(), append, &bytes) != 0)
        qFatal("the script cannot be compiled");
    return bytes;
}

// A line for each call, such as "exists L".
Calls callsOf(const QByteArray& text) {
    Calls calls;
    for (const QByteArray& line : text.isEmpty() ? QByteArrayList() : text.split('\n'))
        calls.push_back(line.split(' '));
    return calls;
}

}  // namespace

class TestDecidingLine : public QObject {
    Q_OBJECT

private:
    static std::optional<QByteArray> lineOf(const QByteArray& source, const QByteArray& calls) {
        return decidingLine({"EVALSHA", "0123", "1", "L", "9"}, source, callsOf(calls));
    }

private Q_SLOTS:
    void theCallsLeadToTheLine_data() {
        QTest::addColumn<QByteArrayList>("command");
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("line");
        const QByteArrayList acquire{"EVAL", scriptOf({"add_hold", "reentrant_acquire"}), "1", "L", "30000", "c:1"};
        const QByteArrayList release{
            "EVAL",        scriptOf({"announce", "publish", "give_back_one", "reentrant_release"}),
            "1",           "L",
            "channel:{L}", "0",
            "30000",       "c:1"};
        const QByteArrayList fair{
            "EVAL",        scriptOf({"announce", "publish", "add_hold", "fair_queue", "fair_acquire"}),
            "3",           "L",
            "queue:{L}",   "deadlines:{L}",
            "channel:{L}", "30000",
            "c:1",         "5000"};
        QTest::newRow("a free lock is taken") << acquire << QByteArray("exists L\nhincrby L c:1 1\npexpire L 30000")
                                              << QByteArray("return add_hold(lock, holder, lease, 'hincrby')");
        QTest::newRow("taken again") << acquire
                                     << QByteArray("EXISTS L\nHEXISTS L c:1\nHINCRBY L c:1 1\nPEXPIRE L 30000")
                                     << QByteArray("return add_hold(lock, holder, lease, 'hincrby')");
        QTest::newRow("held by another") << acquire << QByteArray("exists L\nhexists L c:1\npttl L")
                                         << QByteArray("return redis.call('pttl', lock)");
        QTest::newRow("released") << release << QByteArray("hget L c:1\ndel L\npublish channel:{L} 0")
                                  << QByteArray("return announced(1)");
        QTest::newRow("released once") << release
                                       << QByteArray("hget L c:1\nhincrby L c:1 -1\npexpire L 30000\nexists L")
                                       << QByteArray("return left");
        QTest::newRow("a fair lock is taken")
            << fair
            << QByteArray(
                   "time\nlindex queue:{L} 0\nlindex queue:{L} 0\nexists L\nzscore deadlines:{L} c:1\nhset L c:1 1\n"
                   "pexpire L 30000\nzrem deadlines:{L} c:1\nexists queue:{L}\ndel deadlines:{L}")
            << QByteArray("return refused");
    }
    void theCallsLeadToTheLine() {
        QFETCH(const QByteArrayList, command);
        QFETCH(const QByteArray, calls);
        QFETCH(const QByteArray, line);
        QCOMPARE(decidingLine(command, command.at(1), callsOf(calls)), std::optional(line));
    }

    void whatIsNotCertainIsNotSaid_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("calls");
        const auto branches = [](const QByteArray& condition, const QByteArray& first, const QByteArray& second) {
            return QByteArray("if " + condition + " then\n  " + first + "\nend\n" + second);
        };
        const QByteArray script =
            branches("redis.call('exists', KEYS[1]) == 1", "return redis.call('pttl', KEYS[1])", "return 0");
        QTest::newRow("another command") << script << QByteArray("hexists L\npttl L");
        QTest::newRow("another key") << script << QByteArray("exists M\npttl L");
        QTest::newRow("more calls") << script << QByteArray("exists L\npttl L\npttl L");
        QTest::newRow("no call") << script << QByteArray();
        QTest::newRow("the server may have refused one more") << script << QByteArray("exists L");
        QTest::newRow("the key may have another type")
            << QByteArray("redis.call('hget', KEYS[1], 'f')\nreturn 1") << QByteArray("hget L f");
        QTest::newRow("the server may have refused two more")
            << QByteArray(
                   "if redis.pcall('hset', KEYS[1], 'f', 1) == 1 then\n"
                   "  local refused = redis.pcall('pexpire', KEYS[1], 1)\n"
                   "  if type(refused) == 'table' then redis.call('hdel', KEYS[1], 'f') end\n"
                   "end\n"
                   "return 1")
            << QByteArray("hset L f 1");
        QTest::newRow("two ways with the same calls")
            << branches("redis.call('pttl', KEYS[1]) > 0", "return 1", "return 0") << QByteArray("pttl L");
        QTest::newRow("two ways by an argument")
            << branches("redis.call('pttl', KEYS[1]) == tonumber(ARGV[1])", "return 1", "return 0")
            << QByteArray("pttl L");
        QTest::newRow("two ways, one of which fails")
            << branches("redis.call('exists', KEYS[1]) == 1", "return nil + 1", "return 0") << QByteArray("exists L");
        QTest::newRow("two ways, one of which uses what is not here")
            << branches("redis.call('exists', KEYS[1]) == 1", "return string.format('x')", "return 0")
            << QByteArray("exists L");
        QTest::newRow("another way each time")
            << branches("KEYS.n == nil", "KEYS.n = 1 return redis.pcall('exists', KEYS[1])",
                        "return redis.call('exists', KEYS[1])")
            << QByteArray("exists L");
        QTest::newRow("a list") << branches("#redis.call('hkeys', KEYS[1]) == 7", "return 1",
                                            "return redis.call('pttl', KEYS[1])")
                                << QByteArray("hkeys L\npttl L");
        QTest::newRow("no Lua") << QByteArray("if exists") << QByteArray("exists L");
        QTest::newRow("it never ends") << QByteArray("redis.call('exists', KEYS[1])\nwhile true do end")
                                       << QByteArray("exists L");
        QTest::newRow("too many ways") << QByteArray(
                                              "for i = 1, 9 do\n  redis.call('hincrby', KEYS[1])\nend\n"
                                              "redis.call('exists', KEYS[1])\nreturn 1")
                                       << QByteArray("hincrby L\n").repeated(9) + "exists L";
        // A recording may come from an attacker.
        const QByteArray first = "redis.call('exists', KEYS[1])\n";
        for (const char* call :
             {"os.execute('true')", "io.open('/etc/passwd')", "require('os')", "loadstring('return 1')()",
              "dofile('/dev/null')", "pcall(type, 1)", "coroutine.create(function() end)", "string.rep('x', 9)",
              "local text = ('x'):rep(9)", "local at = ('x'):find('x')", "setmetatable({}, {})", "print(1)",
              "debug.getinfo(1)", "collectgarbage()", "newproxy()", "getfenv()", "_G.type(1)"})
            QTest::newRow(call) << QByteArray(first + call + "\nreturn 1") << QByteArray("exists L");
        QTest::newRow("it needs much memory")
            << QByteArray(first + "local text = 'x'\nwhile true do text = text .. text end") << QByteArray("exists L");
        QTest::newRow("it needs much memory before a call")
            << QByteArray(
                   "local text, all = 'x', {}\nfor i = 1, 17 do text = text .. text end\n"
                   "for i = 1, 18 do all[i] = text .. i end\n" +
                   first + "return 1")
            << QByteArray("exists L");
        QTest::newRow("it calls itself without end")
            << QByteArray(first + "local function f() return 1 + f() end\nreturn f()") << QByteArray("exists L");
        QTest::newRow("it is compiled") << compiled("redis.call('exists', KEYS[1])\nreturn 1")
                                        << QByteArray("exists L");
        QTest::newRow("it is very long") << QByteArray(QByteArray(100'000, '\n') + first + "return 1")
                                         << QByteArray("exists L");
        QTest::newRow("a call is very long") << QByteArray("redis.call('exists', KEYS[1], 1)\nreturn 1")
                                             << QByteArray("exists L " + QByteArray(100'000, 'x'));
        QTest::newRow("another function of the server")
            << QByteArray("redis.call('exists', KEYS[1])\nreturn redis.sha1hex('')") << QByteArray("exists L");
    }
    void whatIsNotCertainIsNotSaid() {
        QFETCH(const QByteArray, source);
        QFETCH(const QByteArray, calls);
        QCOMPARE(lineOf(source, calls), std::nullopt);
    }

    void anotherCallBehindItMakesItCertain() {
        const QByteArray script =
            "if redis.call('exists', KEYS[1]) == 1 then\n"
            "  return redis.call('pttl', KEYS[1])\n"
            "end\n"
            "redis.call('del', KEYS[1])\n"
            "return 0\n";
        QCOMPARE(lineOf(script, "exists L\ndel L"), std::optional<QByteArray>("return 0"));
        QCOMPARE(lineOf(script, "exists L\npttl L"), std::optional<QByteArray>("return redis.call('pttl', KEYS[1])"));
    }

    // As if the server was killed before it had shown the rest.
    void aPartOfTheCallsHasNoLineOrTheRightOne() {
        const QByteArrayList release{
            "EVAL",        scriptOf({"announce", "publish", "give_back_one", "reentrant_release"}),
            "1",           "L",
            "channel:{L}", "0",
            "30000",       "c:1"};
        Calls calls = callsOf("hget L c:1\ndel L\npublish channel:{L} 0");
        QCOMPARE(decidingLine(release, release.at(1), calls), std::optional<QByteArray>("return announced(1)"));
        calls.pop_back();
        QCOMPARE(decidingLine(release, release.at(1), calls), std::optional<QByteArray>("return announced(1)"));
        calls.pop_back();
        QCOMPARE(decidingLine(release, release.at(1), calls), std::nullopt);
        calls.pop_back();
        QCOMPARE(decidingLine(release, release.at(1), calls), std::nullopt);
    }

    // As in a full recording, which does not keep what follows.
    void whereTheLastCallsMayBeMissingItsLineIsTheRightOne_data() {
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("line");  // empty: nothing
        const QByteArray taken = "return add_hold(lock, holder, lease, 'hincrby')";
        QTest::newRow("all of a free lock") << QByteArray("exists L\nhincrby L c:1 1\npexpire L 30000") << taken;
        QTest::newRow("all of a lock that is taken again")
            << QByteArray("exists L\nhexists L c:1\nhincrby L c:1 1\npexpire L 30000") << taken;
        QTest::newRow("all of a lock that another holds")
            << QByteArray("exists L\nhexists L c:1\npttl L") << QByteArray("return redis.call('pttl', lock)");
        QTest::newRow("the server may refuse the next") << QByteArray("exists L\nhincrby L c:1 1") << QByteArray();
        QTest::newRow("the way is open") << QByteArray("exists L\nhexists L c:1") << QByteArray();
        QTest::newRow("the first call") << QByteArray("exists L") << QByteArray();
        QTest::newRow("none") << QByteArray() << QByteArray();
    }
    void whereTheLastCallsMayBeMissingItsLineIsTheRightOne() {
        QFETCH(const QByteArray, calls);
        QFETCH(const QByteArray, line);
        const QByteArrayList acquire{"EVAL", scriptOf({"add_hold", "reentrant_acquire"}), "1", "L", "30000", "c:1"};
        QCOMPARE(
            decidingLine(acquire, acquire.at(1), callsOf(calls), CallsKnown::PerhapsNotTheLast).value_or(QByteArray()),
            line);
    }

    void aRefusalIsCertainOnlyIfNoCallIsMissing_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QByteArray>("calls");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("of a call that is not shown")
            << QByteArray(
                   "redis.call('exists', KEYS[1])\n"
                   "if type(redis.pcall('del', KEYS[1])) == 'table' then\n  return 1\nend\nreturn 0")
            << QByteArray("exists L") << QByteArray("return 1");
        QTest::newRow("none, because nothing was called behind it")
            << QByteArray(
                   "if type(redis.pcall('hset', KEYS[1], 'f', 1)) == 'table' then\n"
                   "  redis.call('exists', KEYS[1])\n  return 1\nend\nreturn 0")
            << QByteArray("hset L f 1") << QByteArray("return 0");
    }
    void aRefusalIsCertainOnlyIfNoCallIsMissing() {
        QFETCH(const QByteArray, source);
        QFETCH(const QByteArray, calls);
        QFETCH(const QByteArray, line);
        QCOMPARE(lineOf(source, calls), std::optional(line));
        const QByteArrayList command{"EVALSHA", "0123", "1", "L", "9"};
        QCOMPARE(decidingLine(command, source, callsOf(calls), CallsKnown::PerhapsNotTheLast), std::nullopt);
    }

    void ownScriptsAreOfTheFilesOfTheLocks() {
        const QByteArray acquire = scriptOf({"add_hold", "reentrant_acquire"});
        QVERIFY(isOwnScript(acquire));
        QVERIFY(isOwnScript(scriptOf({"replicate_changes", "renew"})));
        QVERIFY(!isOwnScript({}));
        QVERIFY(!isOwnScript(acquire + "return 1"));
        QVERIFY(!isOwnScript("return 1"));
        QVERIFY(!isOwnScript(acquire.chopped(1)));
    }

    // The script is found by its SHA-1 as a server finds it.
    void aScriptIsFoundByItsShaOnceItWasShownWhole() {
        const redis::Script script("return 1");
        ScriptSources sources;
        sources.note({"EVAL"});
        sources.note({"SET", "return 2", "0"});
        QCOMPARE(sources.of({"EVALSHA", script.sha(), "0"}), QByteArray());
        sources.note({"eval", script.source(), "0"});
        QCOMPARE(sources.of({"evalsha", script.sha(), "0"}), script.source());
        QCOMPARE(sources.of({"EVALSHA", script.sha().toUpper(), "0"}), script.source());
        QCOMPARE(sources.of({"EVALSHA", redis::Script("return 2").sha(), "0"}), QByteArray());
        QCOMPARE(sources.of({"EVAL", "return 2", "0"}), QByteArray("return 2"));
        QCOMPARE(sources.of({"GET", script.sha()}), QByteArray());
        QCOMPARE(sources.of({}), QByteArray());
    }

    void aCommandThatIsNotWholeHasNone_data() {
        QTest::addColumn<QByteArrayList>("command");
        QTest::newRow("empty") << QByteArrayList();
        QTest::newRow("no keys") << QByteArrayList{"EVALSHA", "0123"};
        QTest::newRow("more keys than there are numbers for")
            << QByteArrayList{"EVALSHA", "0123", "9223372036854775807", "L"};
        QTest::newRow("fewer keys than it says") << QByteArrayList{"EVALSHA", "0123", "2", "L"};
        QTest::newRow("a negative number of keys") << QByteArrayList{"EVALSHA", "0123", "-1", "L"};
    }
    void aCommandThatIsNotWholeHasNone() {
        QFETCH(const QByteArrayList, command);
        QCOMPARE(decidingLine(command, "redis.call('exists', 'L')\nreturn 1", callsOf("exists L")), std::nullopt);
    }
};

LOCKKEEPER_TEST(TestDecidingLine, Guiless)

}  // namespace tst_decidingline

#include "tst_decidingline.moc"
