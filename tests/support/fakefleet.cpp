// SPDX-License-Identifier: Apache-2.0
#include "support/fakefleet.h"

#include "support/lockscripts.h"

#include <QTest>

namespace lockkeeper::test {

using namespace locks;
using namespace std::chrono_literals;

namespace {

const QByteArray channel = QByteArrayLiteral("redisson_lock__channel:{L}");

// Reads a script's name and its number: a lease, or a believed count.
QString wordsOf(const QByteArrayList& command) {
    struct Word {
        QString name;
        qsizetype number;  // index among the script's arguments; -1: none
    };
    static const QHash<QByteArray, Word> words = [] {
        QHash<QByteArray, Word> known;
        const auto add = [&known](const QString& script, qsizetype number) {
            const Word word{script.section(u'_', -1), number};
            known.insert(lockScript(script).sha(), word);
            known.insert(lockScript(script).source(), word);
        };
        add(QStringLiteral("reentrant_acquire"), 0);
        add(QStringLiteral("reentrant_release"), -1);
        add(QStringLiteral("reentrant_settle"), 3);
        add(QStringLiteral("renew"), 0);
        return known;
    }();
    if (!words.contains(command.value(1)))
        return QString::fromUtf8(command.join(' '));
    const Word word = words[command[1]];
    const qsizetype arguments = 3 + command[2].toInt();
    return word.number < 0 ? word.name : word.name + u' ' + QString::fromUtf8(command[arguments + word.number]);
}

}  // namespace

const QByteArray FakeFleet::taken = QByteArrayLiteral("_\r\n");
const ThreadId FakeFleet::owner{7};

FakeFleet::FakeFleet(ManualClock& clock, size_t size, Milliseconds watchdogTimeout) : m_clock(clock) {
    for (size_t i = 0; i < size; ++i) {
        LockClientOptions options;
        options.watchdogTimeout = watchdogTimeout;
        options.replicasToWaitFor = 0;  // avoids an INFO command; tst_replication tests that
        auto server = std::make_unique<FakeServer>();
        auto client = std::make_unique<LockClient>(redis::ConnectionOptions(), server->factory(), clock, options);
        const HolderId holder(client->id(), owner);
        m_members.push_back(Member{std::move(server), std::move(client), holder});
    }
}

void FakeFleet::open() {
    for (const Member& member : m_members) {
        member.client->open();
        member.server->acceptAll();
    }
}

std::vector<Lock> FakeFleet::locks(Kind kind) {
    std::vector<Lock> locks;
    for (const Member& member : m_members)
        locks.push_back(lockOf(*member.client, kind, LockName("L")));
    return locks;
}

qint64 FakeFleet::held(size_t member) const {
    return m_members[member].client->hold(HoldKey(LockName("L"), m_members[member].holder)).count;
}

QStringList FakeFleet::sent(size_t member) {
    QStringList words;
    for (const QByteArrayList& command : link(member).takeCommands())
        words += wordsOf(command);
    return words;
}

QList<QStringList> FakeFleet::sentToAll() {
    QList<QStringList> words;
    for (size_t i = 0; i < size(); ++i)
        words += sent(i);
    return words;
}

void FakeFleet::letWait(size_t member, int pttl) {
    m_members[member].server->acceptAll();
    FakeLink& waiting = m_members[member].server->linkOf("lockkeeper-waiting");
    for (const QByteArrayList& command : waiting.takeCommands())  // may follow an UNSUBSCRIBE if the client has waited
                                                                  // before
        waiting.reply(">3\r\n" + bulk(command.first().toLower()) + bulk(channel) + number(1));
    QVERIFY(sent(member).value(0).startsWith(u"acquire"));
    reply(member, number(pttl));
}

void FakeFleet::reconnect(size_t member) {
    m_clock.advance(100ms);
    m_members[member].server->acceptAll();
}

QString wordOf(const Running<Result<ReleaseOutcome>>& release) {
    if (!release->has_value())
        return QStringLiteral("running");
    if (!(*release)->ok())
        return wordFor((*release)->error().code);
    return (*release)->value() == ReleaseOutcome::Free ? QStringLiteral("free") : QStringLiteral("still held");
}

}  // namespace lockkeeper::test
