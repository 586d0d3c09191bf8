// SPDX-License-Identifier: Apache-2.0
#include "ui/words/checktext.h"

#include "ui/words/armingtext.h"
#include "ui/words/causetext.h"
#include "ui/words/watchingtext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

using control::Availability;
using control::CheckedCommand;
using control::CheckEvidence;
using control::CheckFinding;
using control::LimitSeverity;
using control::LockLimit;
using control::ManagedService;
using control::NodeCheck;

namespace {

struct CheckText {
    Q_DECLARE_TR_FUNCTIONS(CheckText)
};

QString commandsText(const QStringList& commands) {
    return commands.join(QLatin1String(", ")).toUpper().replace(u'|', u' ');
}

QString evidenceText(const QList<CheckEvidence>& evidence) {
    QStringList parts;
    for (const CheckEvidence& line : evidence)
        parts << (line.answer.isEmpty() ? line.question : QStringLiteral("%1: %2").arg(line.question, line.answer));
    return parts.join(QLatin1String("; "));
}

QString documentsText(LockLimit what) {
    QStringList issues;
    for (const int issue : control::issuesAbout(what))
        issues << QString::number(issue);
    return issues.isEmpty()
               ? CheckText::tr("The evidence is this server's. What follows from it is known from documents alone.")
               : CheckText::tr(
                     "The evidence is this server's. What follows from it is known from documents alone: issues %1 of "
                     "redisson/redisson.")
                     .arg(issues.join(QLatin1String(", ")));
}

QString headText(const NodeCheck& node) {
    QStringList parts{
        CheckText::tr("version %1")
            .arg(node.server.version.isEmpty() ? CheckText::tr("not known") : QString::fromLatin1(node.server.version)),
        QStringLiteral("RESP%1").arg(node.server.protocol)};
    for (const QByteArray& part : {node.server.mode, node.server.role}) {
        if (!part.isEmpty())
            parts << QString::fromLatin1(part);
    }
    if (!node.user.isEmpty())
        parts << CheckText::tr("user '%1'").arg(node.user);
    return parts.join(QLatin1String(", "));
}

QStringList namesWith(const QList<CheckedCommand>& commands, Availability availability) {
    QStringList names;
    for (const CheckedCommand& command : commands) {
        if (command.availability == availability)
            names << command.name;
    }
    return names;
}

void addPart(QStringList& lines, const QString& caption, const QStringList& texts) {
    if (texts.isEmpty())
        return;
    lines << QStringLiteral("  ") + caption;
    for (const QString& text : texts)
        lines << QStringLiteral("    ") + text;
}

QStringList findingLines(const QList<CheckFinding>& findings) {
    QStringList lines;
    for (const CheckFinding& finding : findings) {
        lines << QStringLiteral("%1: %2").arg(severityText(control::severityOf(finding.what)), limitText(finding));
        lines << QStringLiteral("  ") + CheckText::tr("Evidence: %1").arg(evidenceText(finding.evidence));
        if (control::basisOf(finding.what) == control::LimitBasis::Documents)
            lines << QStringLiteral("  ") + documentsText(finding.what);
    }
    return lines;
}

QStringList unknownLines(const NodeCheck& node) {
    QStringList lines;
    for (const CheckEvidence& question : node.unanswered)
        lines << CheckText::tr("The server does not answer %1, so what depends on it is not known.")
                     .arg(evidenceText({question}));
    const QStringList unknown = namesWith(node.commands, Availability::Unknown);
    if (!unknown.isEmpty())
        lines << CheckText::tr("Whether these are allowed: %1").arg(commandsText(unknown));
    const QStringList here = namesWith(node.commands, Availability::RefusedHere);
    if (!here.isEmpty())
        lines << CheckText::tr("Refused with the name that was asked about, perhaps allowed with others: %1")
                     .arg(commandsText(here));
    return lines;
}

// All that is known of a node but its address.
QStringList bodyOf(const NodeCheck& node) {
    if (node.error)
        return {QStringLiteral("  ") + CheckText::tr("Not checked: %1").arg(errorClause(*node.error))};
    QStringList lines{QStringLiteral("  ") + headText(node)};
    if (node.isClear())
        lines << QStringLiteral("  ") + CheckText::tr("Nothing that was asked about is missing or limited.");
    addPart(lines, CheckText::tr("What Redisson's locks cannot do here, or may lose:"), findingLines(node.findings));
    addPart(lines, CheckText::tr("What Lockkeeper cannot see:"), denialTexts(node.unseen));
    addPart(lines, CheckText::tr("What Lockkeeper cannot do when it writes:"), writingDenialTexts(node.writing));
    addPart(lines, CheckText::tr("Not known:"), unknownLines(node));
    return lines;
}

}  // namespace

QString severityText(LimitSeverity severity) {
    switch (severity) {
        case LimitSeverity::Impossible:
            return CheckText::tr("Impossible");
        case LimitSeverity::Failing:
            return CheckText::tr("Fails");
        case LimitSeverity::Risk:
            return CheckText::tr("Risk");
    }
    return {};
}

QString serviceText(ManagedService service) {
    switch (service) {
        case ManagedService::None:
            return {};
        case ManagedService::ElastiCacheServerless:
            return QStringLiteral("Amazon ElastiCache Serverless");
        case ManagedService::ElastiCache:
            return QStringLiteral("Amazon ElastiCache");
        case ManagedService::MemoryDb:
            return QStringLiteral("Amazon MemoryDB");
        case ManagedService::AzureCache:
            return QStringLiteral("Azure Cache for Redis");
        case ManagedService::AzureManagedRedis:
            return QStringLiteral("Azure Managed Redis");
        case ManagedService::RedisCloud:
            return QStringLiteral("Redis Cloud");
        case ManagedService::Upstash:
            return QStringLiteral("Upstash");
        case ManagedService::OracleCache:
            return QStringLiteral("OCI Cache");
        case ManagedService::AlibabaTair:
            return QStringLiteral("Alibaba Cloud Tair");
        case ManagedService::TencentCache:
            return QStringLiteral("Tencent Cloud");
    }
    return {};
}

QString limitText(const CheckFinding& finding) {
    switch (finding.what) {
        case LockLimit::OnReplica:
            return CheckText::tr("This is a replica: locks are taken and released at its master. Check that one.");
        case LockLimit::ClusterDown:
            return CheckText::tr("The Cluster is down: its nodes serve no keys.");
        case LockLimit::SlotsUnserved:
            return CheckText::tr("No node serves some of the 16384 slots: locks in these cannot be taken or released.");
        case LockLimit::OneClusterNode:
            return CheckText::tr(
                "This is one node of a Cluster: with this address only the locks of its own slots can be taken and "
                "seen. Use redis-cluster://.");
        case LockLimit::NoScripts:
            return CheckText::tr("Each lock is a script, and the server has neither EVAL nor EVALSHA for this user.");
        case LockLimit::ScriptCommands:
            return CheckText::tr("Scripts of the locks need what is missing: %1. Locks whose scripts use it fail.")
                .arg(commandsText(finding.commands));
        case LockLimit::KeysOfOneLockApart:
            return CheckText::tr(
                "Keys with the same {tag} are not kept together: the scripts of fair, fenced and read/write locks are "
                "refused.");
        case LockLimit::UndeclaredKeys:
            return CheckText::tr(
                "A script may not use a key that it has not declared. The scripts of read/write locks build the keys "
                "of their readers, so these locks fail unless the server allows it.");
        case LockLimit::TooFewReplicas:
            return CheckText::tr(
                "The server refuses every write until enough replicas are connected (min-replicas-to-write): no lock "
                "can be taken, renewed or released.");
        case LockLimit::WritesNeedReplicas:
            return CheckText::tr(
                "When too few replicas are connected, the server refuses every write (min-replicas-to-write): no lock "
                "can be taken, renewed or released then.");
        case LockLimit::NoWait:
            return CheckText::tr(
                "The server does not have WAIT. Clients that send it after each acquire fail with \"unknown command "
                "'WAIT'\" (reported for Redisson 3.14 to 3.26, by one user for 3.45). Others do not wait: a lock may "
                "be on no replica yet when its master fails.");
        case LockLimit::WaitRefused:
            return CheckText::tr(
                "The user may not use WAIT, which clients send after each acquire if there is a replica. How each "
                "version takes the refusal is not known: allow it with +wait.");
        case LockLimit::WaitaofWithoutFsync:
            return CheckText::tr(
                "The server leaves it to the system when its file is written (appendfsync no). Redisson 3.51 waits for "
                "that with WAITAOF, which may take longer than its time: acquires fail with \"None of slaves were "
                "synced\".");
        case LockLimit::NoMessages:
            return CheckText::
                tr("%1: a release wakes nobody, or a client that must wait fails. Others sleep until the TTL that they "
                   "have read has passed.")
                    .arg(commandsText(finding.commands));
        case LockLimit::NoShardMessages:
            return CheckText::
                tr("%1: clients of Redisson 3.22 and newer wait and wake by the channels of shards in this Cluster. They "
                   "cannot wait, or nobody is woken.")
                    .arg(commandsText(finding.commands));
        case LockLimit::SlotsBehindProxy:
            return CheckText::tr(
                "Behind this address are several slots, although the server does not say so. One lock is in one slot "
                "and works. A client that takes it for one server may renew several locks with one script, which is "
                "refused: such locks expire while their holders work. Scripts over several names fail, too.");
        case LockLimit::KeysEvicted:
            return CheckText::tr(
                "When its memory is full, the server deletes keys, and locks may be among them: two holders at once. "
                "noeviction refuses writes instead.");
        case LockLimit::KnownService:
            return CheckText::
                tr("The name of the host is one of %1. The manual has what its documents say (\"Managed services\"); all "
                   "other lines are this server's own answers.")
                    .arg(serviceText(finding.service));
    }
    return {};
}

QStringList checkLines(const control::ServerCheck& check) {
    QStringList lines;
    QList<QStringList> bodies;
    QList<QStringList> addresses;
    for (const NodeCheck& node : check.nodes) {
        const QStringList body = bodyOf(node);
        const qsizetype known = bodies.indexOf(body);
        if (known >= 0) {
            addresses[known] << node.address;
            continue;
        }
        bodies << body;
        addresses << QStringList{node.address};
    }
    for (qsizetype i = 0; i < bodies.size(); ++i)
        lines << addresses[i].join(QLatin1String(", ")) + u':' << bodies[i];
    return lines;
}

}  // namespace lockkeeper::ui
