// SPDX-License-Identifier: Apache-2.0
#include "profile/aclline.h"
#include "support/namedrights.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace tst_aclline {

using namespace lockkeeper;
using namespace lockkeeper::profile;

namespace {

QString textOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return QString::fromUtf8(file.readAll());
}

// Rules of the ACL for the commands that the embedded scripts of a folder call by name.
QStringList rulesOfScripts(const QString& folder, const QRegularExpression& names) {
    static const QRegularExpression call(
        QStringLiteral("\\b(?:call|pcall|try|try_to_publish)\\('([A-Za-z]+)'(?:, '([A-Za-z]+)')?"));
    static const QStringList containers{QStringLiteral("object"), QStringLiteral("pubsub")};
    QStringList rules;
    QDirIterator scripts(QStringLiteral(":/lockkeeper/") + folder, {QStringLiteral("*.lua")});
    while (scripts.hasNext()) {
        const QString path = scripts.next();
        if (!names.match(scripts.fileName()).hasMatch())
            continue;
        for (const QRegularExpressionMatch& found : call.globalMatch(textOf(path))) {
            const QString command = found.captured(1).toLower();
            if (!containers.contains(command))
                rules << u'+' + command;
            else if (!found.captured(2).isEmpty())
                rules << u'+' + command + u'|' + found.captured(2).toLower();
        }
    }
    rules.removeDuplicates();
    rules.sort();
    return rules;
}

QStringList commandRules(const QString& line) {
    return line.split(u' ').filter(QRegularExpression(QStringLiteral("^\\+")));
}

const QRegularExpression ofSynchronizers(QStringLiteral("^(counter|latch|permit|semaphore)"));
const QRegularExpression ofLocks(QStringLiteral("^(?!counter|latch|permit|semaphore)"));

}  // namespace

// The named rights are those for the commands that this program sends and that its scripts call, and no others.
class TestAclLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noCategoryIsGranted() {
        for (const AclLine& acl : aclLines(test::withWriter(test::profileOfACluster()), QStringLiteral("7.2.0")))
            QVERIFY2(!acl.line.contains(QStringLiteral("+@")) && acl.line.contains(QStringLiteral(" -@all ")),
                     qPrintable(acl.line));
    }

    void whoWatchesMayCallWhatTheScriptsCallAndNoMore() {
        const QStringList rules = commandRules(aclLines(test::withWriter(test::profileOfACluster()), {}).front().line);
        const QStringList called = rulesOfScripts(QStringLiteral("monitor/observe/lua"), QRegularExpression());
        QVERIFY(called.contains(QStringLiteral("+hgetall")) && called.contains(QStringLiteral("+object|encoding")));
        QCOMPARE(test::without(called, rules), QStringList());
        const QStringList sentAlone{"+hello",
                                    "+auth",
                                    "+ping",
                                    "+select",
                                    "+client|setname",
                                    "+client|tracking",
                                    "+client|no-evict",
                                    "+client|list",
                                    "+info",
                                    "+eval_ro",
                                    "+evalsha_ro",
                                    "+scan",
                                    "+dbsize",
                                    "+zcard",
                                    "+getrange",
                                    "+subscribe",
                                    "+unsubscribe",
                                    "+psubscribe",
                                    "+ssubscribe",
                                    "+sunsubscribe",
                                    "+pubsub|channels",
                                    "+pubsub|numsub",
                                    "+pubsub|shardchannels",
                                    "+pubsub|shardnumsub",
                                    "+role",
                                    "+cluster|shards",
                                    "+cluster|slots",
                                    "+cluster|info"};
        QCOMPARE(test::without(rules, called), sentAlone);
    }

    void whoWritesMayCallWhatTheScriptsCallAndNoMore() {
        const QList<AclLine> lines = aclLines(test::withWriter(test::profileOfACluster()), {});
        const QStringList watching = commandRules(lines.front().line);
        const QStringList writing = test::without(commandRules(lines.back().line), watching);
        QStringList called = rulesOfScripts(QStringLiteral("control/lua"), QRegularExpression()) +
                             rulesOfScripts(QStringLiteral("locks/lua"), ofLocks);
        called.removeDuplicates();
        QVERIFY(called.contains(QStringLiteral("+hdel")) && called.contains(QStringLiteral("+spublish")));
        QCOMPARE(test::without(called, watching + writing), QStringList());
        const QStringList sentAlone{"+eval", "+evalsha", "+wait", "+client|caching", "+client|kill", "+asking"};
        QCOMPARE(test::without(writing, called), sentAlone);
    }

    void theManualNamesTheSameRights() {
        const QString manual = textOf(test::places::manual() + QStringLiteral("/connecting.md"));
        ConnectionProfile profile;
        profile.access = redis::AccessMode::ReadOnly;
        const QString watching = aclLines(profile, {}).front().line;
        QVERIFY2(manual.contains(u'\n' + QString(4, u' ') + watching + u'\n'), qPrintable(watching));
        profile.access = redis::AccessMode::ReadWrite;
        const QStringList added = test::without(aclLines(profile, {}).front().line.split(u' '), watching.split(u' '));
        QVERIFY2(manual.contains(u'\n' + QString(4, u' ') + added.join(u' ') + u'\n'), qPrintable(added.join(u' ')));
        for (const QString& rule :
             test::without(commandRules(aclLines(test::withWriter(test::profileOfACluster()), {}).back().line),
                           watching.split(u' ') + added))
            QVERIFY2(manual.contains(rule), qPrintable(rule));
    }

    void theManualNamesWhatSynchronizersAdd() {
        const QString manual = textOf(test::places::manual() + QStringLiteral("/connecting.md"));
        static const QRegularExpression line(QStringLiteral("\n {4}&redisson_sc:\\S+ &\\S+ (.*)\n"));
        const QString added = line.match(manual).captured(1);
        const QStringList rules = commandRules(aclLines(test::withWriter(test::profileOfACluster()), {}).back().line);
        const QStringList called = rulesOfScripts(QStringLiteral("locks/lua"), ofSynchronizers);
        QStringList wanted = test::without(called, rules);
        QStringList named = added.split(u' ');
        wanted.sort();
        named.sort();
        QCOMPARE(named, wanted);
    }
};

LOCKKEEPER_TEST(TestAclLine, Appless)

}  // namespace tst_aclline

#include "tst_aclline.moc"
