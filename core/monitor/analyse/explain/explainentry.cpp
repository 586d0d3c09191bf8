// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/explainentry.h"

#include "monitor/analyse/explain/idsintext.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lockkeeper::monitor {

namespace {

// What must be in the entry besides the words, so that they are about a lock.
enum class Needs {
    Nothing,    // nobody else has these words
    Redisson,   // a sign of the client, and no sign that another object is meant
    AnyObject,  // a sign of the client: the whole client is concerned, locks included
    Lock        // a sign of a lock
};

struct PhraseRow {
    const char* phrase;  // as PhraseScan takes it
    ErrorFamily family;
    Needs needs;
};

// Of two families about one error, the one that says more.
struct Precedence {
    ErrorFamily better;
    ErrorFamily other;
};

struct Tables {
    using enum ErrorFamily;
    static const PhraseRow phrases[];
    static const Precedence precedences[];
};

const PhraseRow Tables::phrases[] = {
    {"attempttounlocklock", UnlockNotHeld, Needs::Nothing},
    {"attempttounlockreadlock", UnlockNotHeld, Needs::AnyObject},
    {"attempttounlockwritelock", UnlockNotHeld, Needs::AnyObject},
    {"attempttounlockfairlock", UnlockNotHeld, Needs::AnyObject},
    {"notlockedbycurrentthread", UnlockNotHeld, Needs::AnyObject},
    {"notlockedbycurrentthreadbynodeid", UnlockNotHeld, Needs::Nothing},
    {"isnon-reentrantandisalreadyheld", NonReentrant, Needs::Nothing},
    {"can'tupdatelock", RenewalFailed, Needs::Nothing},
    {"cantupdatelock", RenewalFailed, Needs::Nothing},
    {"redisson.renewal.lockentry", RenewalNoEntry, Needs::Nothing},
    {"renewal.locktask.renew(", RenewalNoEntry, Needs::Nothing},
    {"attempttoconcatenate", RenewalScriptNil, Needs::Lock},
    {"subscribetimeout:(", SubscribeTimeout, Needs::AnyObject},
    {"unabletoacquiresubscriptionlock", SubscriptionLock, Needs::Nothing},
    {"and/or'subscriptionconnectionpoolsize'", SubscriptionConnections, Needs::Nothing},
    {"unabletoacquireconnectionforsubscription", SubscriptionConnections, Needs::Nothing},
    {"'subscriptionsperconnection','subscriptionconnectionpoolsize'", SubscriptionConnections, Needs::Nothing},
    {"unabletoacquireconnection!", PoolExhausted, Needs::AnyObject},
    {"unabletoacquireconnectionforcommand", PoolExhausted, Needs::AnyObject},
    {"unabletogetconnection!", PoolExhausted, Needs::AnyObject},
    {"connectionpoolexhausted!", PoolExhausted, Needs::AnyObject},
    {"can'taquireconnectionfrompool", PoolExhausted, Needs::AnyObject},
    {"can'tacquireconnectionfrompool", PoolExhausted, Needs::AnyObject},
    {"noavailableredisentries", PoolExhausted, Needs::AnyObject},
    {"connectionscounter=value:-", PoolCounter, Needs::Nothing},
    {"maximumpermitcountexceeded", PoolCounter, Needs::AnyObject},
    {"toomanyoutstandingacquireoperations", PoolCounter, Needs::AnyObject},
    {"stillhasn'tbeenwrittenintoconnection", CommandNotWritten, Needs::AnyObject},
    {"unabletowritecommandintoconnection", CommandNotWritten, Needs::AnyObject},
    {"unabletosendcommand!", CommandNotWritten, Needs::AnyObject},
    {"redisconnectionexception", ConnectionFailed, Needs::Lock},
    {"unabletoconnecttoredisserver", ConnectionFailed, Needs::Lock},
    {"unabletoinitenoughconnections", ConnectionFailed, Needs::Lock},
    {"connectionresetbypeer", ConnectionFailed, Needs::Lock},
    {"connectionrefused", ConnectionFailed, Needs::Lock},
    {"connecttimeoutexception", ConnectionFailed, Needs::Lock},
    {"connectiontimedout", ConnectionFailed, Needs::Lock},
    {"closedchannelexception", ConnectionFailed, Needs::Lock},
    {"unknownhostexception", ConnectionFailed, Needs::Lock},
    {"noroutetohost", ConnectionFailed, Needs::Lock},
    {"networkisunreachable", ConnectionFailed, Needs::Lock},
    {"brokenpipe", ConnectionFailed, Needs::Lock},
    {"redisserverresponsetimeout", ResponseTimeout, Needs::Redisson},
    {"commandexecutiontimeoutforcommand", ResponseTimeout, Needs::Redisson},
    {"redisresponsetimeoutexception", ResponseTimeout, Needs::Redisson},
    {"hasn'tbeendiscoveredyet", NodeUnknown, Needs::Redisson},
    {"slavesweresynced", ReplicasNotSynced, Needs::Nothing},
    {"replicasweresynced", ReplicasNotSynced, Needs::Nothing},
    {"unknowncommand'wait", WaitUnknown, Needs::Redisson},
    {"unknowncommand`wait", WaitUnknown, Needs::Redisson},
    {"unknowncommand\"wait", WaitUnknown, Needs::Redisson},
    {"unknowncommandwait", WaitUnknown, Needs::Redisson},
    {"waitcannotbeusedwith", WaitOnReplica, Needs::Redisson},
    {"noreplicasnotenough", TooFewReplicas, Needs::Redisson},
    {"attempttocompare", FairLockNil, Needs::Lock},
    {"attempttoperformarithmetic", FairLockNil, Needs::Lock},
    {"redissonisshutdown", ShutdownLock, Needs::Redisson},
    {"redissonshutdownexception", ShutdownLock, Needs::Redisson},
    {"crossslotkeys", CrossSlot, Needs::Redisson},
    {"keysinrequestdon'thashtothesameslot", CrossSlot, Needs::Redisson},
    {"tryagainmultiplekeys", TryAgain, Needs::Redisson},
    {"redistryagainexception", TryAgain, Needs::Redisson},
    {"redismovedexception", Moved, Needs::Redisson},
    {"exception:moved", Moved, Needs::Redisson},
    {"movedredirectionloopdetected", MovedLoop, Needs::Redisson},
    {"clusterdown", ClusterDown, Needs::Redisson},
    {"readonlyyoucan'twriteagainst", ReadOnly, Needs::Redisson},
    {"masterdownlinkwithmaster", MasterDown, Needs::Redisson},
    {"isloadingthedataset", Loading, Needs::Redisson},
    {"redisloadingexception", Loading, Needs::Redisson},
    {"oomcommandnotallowed", OutOfMemory, Needs::Redisson},
    {"redisoutofmemoryexception", OutOfMemory, Needs::Redisson},
    {"misconf", NotPersisted, Needs::Redisson},
    {"noscriptnomatchingscript", NoScript, Needs::Redisson},
    {"redisnoscriptexception", NoScript, Needs::Redisson},
    {"noperm", NoPermission, Needs::Redisson},
    {"theuserexecutingthescriptcan't", NoPermission, Needs::Redisson},
    {"isbusyrunningascript", Busy, Needs::Redisson},
    {"redisbusyexception", Busy, Needs::Redisson},
    {"wrongtypeoperationagainst", WrongType, Needs::Lock},
    {"hashvalueisnotaninteger", WrongType, Needs::Lock},
    {"unknowncommand'eval", EvalUnknown, Needs::Redisson},
    {"unknowncommand`eval", EvalUnknown, Needs::Redisson},
    {"unknowncommand\"eval", EvalUnknown, Needs::Redisson},
    {"unknowncommandeval", EvalUnknown, Needs::Redisson},
    {"badluascript", ProxyScript, Needs::Redisson},
    {"keysmustbeinsameslot", ProxyScript, Needs::Redisson},
    {"commandkeysmustinsameslot", ProxyScript, Needs::Redisson},
    {"commandevalnotsupport", ProxyScript, Needs::Redisson},
    {"commandevalshanotsupport", ProxyScript, Needs::Redisson},
    {"commandisnotavailable:'eval", ProxyScript, Needs::Redisson},
    {"command'eval'isnotallowed", ProxyScript, Needs::Redisson},
    {"command'evalsha'isnotallowed", ProxyScript, Needs::Redisson},
    {"unsupportedcommand'eval", ProxyScript, Needs::Redisson},
    {"accessanonlocalkey", ForeignKeys, Needs::Redisson},
    {"donothashtothesameslot", ForeignKeys, Needs::Redisson},
    {"undeclaredkey", ForeignKeys, Needs::Redisson},
};

const Precedence Tables::precedences[] = {
    {SubscribeTimeout, SubscriptionConnections},
    {SubscriptionLock, SubscriptionConnections},
    {SubscriptionLock, SubscribeTimeout},
    {SubscriptionConnections, PoolExhausted},
    {PoolCounter, PoolExhausted},
    {PoolCounter, CommandNotWritten},
    {CommandNotWritten, ResponseTimeout},
    {PoolExhausted, ResponseTimeout},
    {CrossSlotNullKey, CrossSlot},
    {MovedLoop, Moved},
    {CommandNotWritten, Moved},
    {UnlockOtherThread, UnlockNotHeld},
    {WaitUnknown, ReplicasNotSynced},
    {WaitOnReplica, ReadOnly},
    {ForeignKeys, CrossSlot},
    {PoolExhausted, CommandNotWritten},
};

// What Qt puts in place of bytes that are not UTF-8.
constexpr QByteArrayView replacementCharacter("\xef\xbf\xbd");

enum class Subject { Lock, Unknown, Other };

// Classes of other programs may have the same names.
const QRegularExpression& lockFrames() {
    static const QRegularExpression pattern(QStringLiteral(
        "(?:\\b(?:org|o)\\.redisson\\.|\\bo\\.r\\.|(?<![\\w.$]))"
        "Redisson(?:Base|Fair|Read|Write|ReadWrite|Multi|Red|Spin|Fenced|FasterMulti|Transactional\\w*)?Lock\\b"
        "(?!\\.java)|"
        "redisson\\.renewal|r\\.renewal\\.|(?:\\br\\.|(?<![\\w.$]))(?:RenewalTask|(?:Read|Fast\\w*)?LockTask)\\b"
        "(?!\\.java)|Can'?t\\s+update\\s+lock|"
        "redisson_lock_|redisson_rwlock|redisson_unlock_latch|RedissonNonReentrant|RLockReactive|RLockRx"));
    return pattern;
}

const QRegularExpression& permitFrames() {
    static const QRegularExpression pattern(
        QStringLiteral("RedissonPermitExpirableSemaphore|expiredIds|RPermitExpirableSemaphore"));
    return pattern;
}

const QRegularExpression& otherFrames() {
    static const QRegularExpression pattern(QStringLiteral(
        "Redisson(?!Lock|Base|Fair|Read|Write|Multi|Red\\w*Lock|Spin|Fenced|Faster|Permit|Semaphore|Object|Expirable|"
        "Transaction|Shutdown|Client|Node|Auto|Config|Connection|Promise|Util|Reactive|Rx|NonReentrant|Lock\\w)"
        "[A-Z][A-Za-z]+\\.\\w+[.(]"));
    return pattern;
}

// Signs of the client: its name, and words that only its messages have.
const QRegularExpression& clientSigns() {
    static const QRegularExpression pattern(
        QStringLiteral("redisson|\\bo\\.r\\.|nettyThreads|NodeSource \\[|MasterSlaveEntry|subscriptionsPerConnection|"
                       "slavesSyncTimeout"),
        QRegularExpression::CaseInsensitiveOption);
    return pattern;
}

// The begin of a script of a lock, as the client prints it.
bool isLockScript(const QString& script) {
    static const QRegularExpression pattern(QStringLiteral(
        "'exists', KEYS\\[1\\]\\) == 0\\)|'hexists', KEYS\\[1\\], ARGV\\[[23]|'hget', KEYS\\[1\\], 'mode'|firstThreadId|"
        "local result = \\{\\};? ?local j = 1|'lindex', KEYS\\[2\\]|local val = redis.call\\('get', KEYS\\[3\\]\\)|"
        "'del', KEYS\\[1\\]\\) == 1\\) then redis.call\\(|'hincrby', KEYS\\[1\\], ARGV\\[[23]"));
    return pattern.match(script).hasMatch();
}

std::optional<HolderId> holderAmong(const QStringList& arguments) {
    for (const QString& argument : arguments) {
        const QRegularExpressionMatch match = holderPattern().match(argument);
        if (match.hasMatch() && match.capturedStart() == 0)
            return holderIn(match);
    }
    return std::nullopt;
}

bool namesHolderOrKey(const CommandInText& command) {
    const auto isLockKey = [](const QString& key) { return lockOfKey(key).has_value(); };
    return holderAmong(command.arguments) || std::ranges::any_of(command.keys, isLockKey) ||
           std::ranges::any_of(command.arguments, isLockKey);
}

// Commands that locks send, and others as well.
bool mayBeOfLock(const CommandInText& command) {
    static const QStringList commands{
        QStringLiteral("EXISTS"),       QStringLiteral("HEXISTS"),  QStringLiteral("HGET"),
        QStringLiteral("HLEN"),         QStringLiteral("PTTL"),     QStringLiteral("DEL"),
        QStringLiteral("PUBLISH"),      QStringLiteral("SPUBLISH"), QStringLiteral("SUBSCRIBE"),
        QStringLiteral("SSUBSCRIBE"),   QStringLiteral("WAIT"),     QStringLiteral("WAITAOF"),
        QStringLiteral("INFO"),         QStringLiteral("PING"),     QStringLiteral("UNSUBSCRIBE"),
        QStringLiteral("SUNSUBSCRIBE"), QStringLiteral("SCRIPT")};
    if (commands.contains(command.command))
        return true;
    const bool isScriptKnown = command.script.contains(QLatin1String("redis.call"));
    return command.command.startsWith(QLatin1String("EVAL")) && !isScriptKnown;
}

Subject subjectOf(const QString& text, const QList<CommandInText>& commands) {
    if (lockFrames().match(text).hasMatch() || std::ranges::any_of(commands, namesHolderOrKey))
        return Subject::Lock;
    const bool hasOtherFrames = otherFrames().match(text).hasMatch();
    // Maps have scripts that begin alike.
    const auto hasLockScript = [](const CommandInText& one) { return isLockScript(one.script); };
    if (!hasOtherFrames && std::ranges::any_of(commands, hasLockScript))
        return Subject::Lock;
    const bool hasOtherCommand = std::ranges::any_of(commands, [](const auto& one) { return !mayBeOfLock(one); });
    return hasOtherCommand || hasOtherFrames ? Subject::Other : Subject::Unknown;
}

QString versionIn(const QString& text) {
    static const QRegularExpression jar(
        QStringLiteral("redisson(?:-all)?-(\\d+\\.\\d+\\.\\d+)\\.jar|\\[redisson-(\\d+\\.\\d+\\.\\d+)|"
                       "Redisson (\\d+\\.\\d+\\.\\d+)\\b"));
    const QRegularExpressionMatch match = jar.match(text);
    for (int group = 1; group <= 3; ++group) {
        if (!match.captured(group).isEmpty())
            return match.captured(group);
    }
    return {};
}

// What decides between errors with the same words.
struct DecidingWords {
    QRegularExpression nullPointer{QStringLiteral("NullPointerException|is null")};
    QRegularExpression concatenatedNil{QStringLiteral("attempt\\s+to\\s+concatenate[^\\n]{0,60}nil")};
    QRegularExpression increase{QStringLiteral("[Ii]ncrease\\s|for\\s+subscription")};
    QRegularExpression notSynced{
        QStringLiteral("[Nn]one\\s+of\\s+(?:the\\s+)?(?:slaves|replicas)\\s+were|nly\\s+\\d+\\s+of\\s+\\d+\\s+"
                       "(?:slaves|replicas)\\s+were")};
    QRegularExpression unknownWait{QStringLiteral("(?i)unknown\\s+command\\s*['`\"]?\\s*wait(?:aof)?\\b")};
    QRegularExpression unknownEval{QStringLiteral("(?i)unknown\\s+command\\s*['`\"]?\\s*eval(?:sha)?(?:_ro)?\\b")};
    QRegularExpression moved{QStringLiteral("MOVED\\s+\\d{1,5}\\s+\\S*:\\d+|RedisMovedException")};
    QRegularExpression nodeId{QStringLiteral("node\\s+id")};
    QRegularExpression javaLock{QStringLiteral("java\\.util\\.concurrent\\.locks\\.Reentrant")};
    QRegularExpression asyncCode{QStringLiteral(
        "reactor\\.core\\.(?!scheduler)|Reactive(?:Service|Proxy|Client)|LockReactive|LockRx\\b|CommandRx|rxjava|"
        "io\\.reactivex|kotlinx\\.coroutines|reactor-http|FluxOnAssembly|kotlin\\.coroutines|invokeSuspend|\\bDefaultDispatcher-worker|"
        "ctor-http-(?:nio|epoll)")};
    QRegularExpression renewal{QStringLiteral(
        "Can'?t\\s+update\\s+lock|renewal|renewExpiration|scheduleExpirationRenewal|RedissonLock\\$\\d+\\.run\\(|"
        "local result = \\{\\};? ?local j = 1")};
    QRegularExpression subscriptionPool{QStringLiteral("PubSubConnectionPool|nextPubSubConnection")};
    QRegularExpression nil{QStringLiteral("\\bnil\\b")};
    QRegularExpression fairLock{
        QStringLiteral("FairLock|lindex|firstThreadId|redisson_lock_queue|redisson_lock_timeout")};
    QRegularExpression heldCheck{QStringLiteral("isHeldBy(?:Thread|CurrentThread)\\w*[.(]|isHeldByThread")};
    QRegularExpression unlock{
        QStringLiteral("(?:org\\.redisson|\\bo\\.r)\\.(?:\\w+\\.)*\\w*Lock\\w*\\.(?:unlock|lambda\\$unlock|"
                       "forceUnlock)\\w*")};
    QRegularExpression publishing{QStringLiteral(
        "publish\\s+to\\s+the\\s+channel|access\\s+(?:a\\s+channel|one\\s+of\\s+the\\s+channels|the\\s+'[^'\\n]{1,4000}'\\s+"
        "channel)|'s?publish'\\s+command")};
    QRegularExpression anyNullPointer{QStringLiteral("NullPointerException")};
};

const DecidingWords& words() {
    static const DecidingWords all;
    return all;
}

class Explanation {
    using enum ErrorFamily;

public:
    Explanation(const LogEntry& entry, const std::vector<PhraseHit>& hits, const QTimeZone& zone)
        : m_entry(entry),
          m_hits(hits),
          m_zone(zone),
          m_text(QString::fromUtf8(entry.text.data(), static_cast<qsizetype>(entry.text.size()))),
          m_commands(commandsIn(m_text)),
          m_subject(subjectOf(m_text, m_commands)),
          m_isOfClient(
              clientSigns().match(m_text).hasMatch() ||
              clientSigns().match(QString::fromUtf8(entry.head.data(), qsizetype(entry.head.size()))).hasMatch()) {}

    std::vector<FoundInEntry> run() {
        for (const PhraseHit& hit : m_hits)
            consider(hit);
        dropLesser();
        joinRenewal();
        for (FoundInEntry& one : m_found)
            complete(one);
        return std::move(m_found);
    }

private:
    qsizetype placeOf(size_t byte) const {
        if (static_cast<size_t>(m_text.size()) == m_entry.text.size())  // ASCII alone
            return static_cast<qsizetype>(std::min(byte, m_entry.text.size()));
        return QString::fromUtf8(m_entry.text.data(), static_cast<qsizetype>(std::min(byte, m_entry.text.size())))
            .size();
    }

    bool has(const QRegularExpression& pattern) const { return pattern.match(m_text).hasMatch(); }

    bool fulfils(Needs needs) const {
        switch (needs) {
            case Needs::Nothing:
                return true;
            case Needs::AnyObject:
                return m_isOfClient || m_subject == Subject::Lock;
            case Needs::Redisson:
                return m_subject == Subject::Lock || (m_isOfClient && m_subject != Subject::Other);
            case Needs::Lock:
                return m_subject == Subject::Lock || permitFrames().match(m_text).hasMatch();
        }
        return false;
    }

    void consider(const PhraseHit& hit) {
        const PhraseRow& row = Tables::phrases[hit.phrase];
        if (!fulfils(row.needs))
            return;
        const qsizetype at = placeOf(hit.begin);
        const std::optional<ErrorFamily> family = exactFamily(row.family, at);
        if (!family)
            return;
        if (*family == UnlockNotHeld || *family == UnlockOtherThread)
            addUnlocks(*family, hit, at);
        else if (*family == RenewalFailed)
            addRenewal(hit, at);
        else if (*family == NonReentrant)
            addNonReentrant(hit, at);
        else
            add(*family, hit, m_text.sliced(at, std::max(endOf(row.family, hit), at) - at));
    }

    // Where the next error of the same family begins.
    qsizetype endOf(ErrorFamily family, const PhraseHit& hit) const {
        for (const PhraseHit& other : m_hits) {
            if (other.begin > hit.end && Tables::phrases[other.phrase].family == family)
                return placeOf(other.begin);
        }
        return m_text.size();
    }

    // The words around decide. Nothing: it is another error.
    std::optional<ErrorFamily> exactFamily(ErrorFamily family, qsizetype at) const {
        switch (family) {
            case UnlockNotHeld:
                return unlockFamily();
            case RenewalFailed:
                return isRenewal(at) ? std::optional(family) : std::nullopt;
            case RenewalNoEntry:
                return has(words().nullPointer) ? std::optional(family) : std::nullopt;
            case RenewalScriptNil:
                return has(words().concatenatedNil) && isRenewalEntry() ? std::optional(family) : std::nullopt;
            case SubscriptionConnections:
                return has(words().increase) ? std::optional(family) : std::nullopt;
            case PoolExhausted:
                return has(words().subscriptionPool) ? SubscriptionConnections : PoolExhausted;
            case ReplicasNotSynced:
                return has(words().notSynced) ? std::optional(family) : std::nullopt;
            case WaitUnknown:
                return has(words().unknownWait) ? std::optional(family) : std::nullopt;
            case EvalUnknown:
                return has(words().unknownEval) ? std::optional(family) : std::nullopt;
            case FairLockNil:
                return nilFamily();
            case ShutdownLock:
                return shutdownFamily();
            case CrossSlot:
                return hasNullKey() ? CrossSlotNullKey : CrossSlot;
            case Moved:
                return has(words().moved) ? std::optional(family) : std::nullopt;
            default:
                return family;
        }
    }

    // The JDK's own read/write locks have the same words without a node id.
    std::optional<ErrorFamily> unlockFamily() const {
        const bool hasIds = has(words().nodeId);
        if (!hasIds && has(words().javaLock) && m_subject != Subject::Lock)
            return std::nullopt;
        return isOfAsyncCode() ? UnlockOtherThread : UnlockNotHeld;
    }

    // Threads of Java count from 1: a large or a negative number was made up by a program that does not work with
    // threads.
    bool isOfAsyncCode() const {
        constexpr qint64 mostThreads = 1'000'000'000;
        const std::optional<HolderId> holder = holderIn(failedUnlockPattern().match(m_text));
        const auto thread = holder ? static_cast<qint64>(holder->thread()) : 1;
        return thread <= 0 || thread > mostThreads || has(words().asyncCode);
    }

    // Not the lock file of a package manager: the whole message, or its begin in a text of the client.
    bool isRenewal(qsizetype at) const {
        static const QRegularExpression begin(QStringLiteral("^Can'?t\\s+update\\s+locks?\\s"));
        static const QRegularExpression whole(
            QStringLiteral("^Can'?t\\s+update\\s+locks?\\s+\\S[^\\n]{0,2000}?\\n?[^\\n]{0,200}?\\sexpiration\\b"));
        constexpr qsizetype longest = 4000;
        const QString part = m_text.sliced(at, std::min(longest, m_text.size() - at));
        return begin.match(part).hasMatch() && (m_isOfClient || whole.match(part).hasMatch());
    }

    bool isRenewalEntry() const { return has(words().renewal); }

    std::optional<ErrorFamily> nilFamily() const {
        if (!has(words().nil))
            return std::nullopt;
        if (permitFrames().match(m_text).hasMatch())
            return PermitNil;
        if (has(words().fairLock))
            return FairLockNil;
        return isRenewalEntry() ? std::optional(RenewalScriptNil) : std::nullopt;
    }

    std::optional<ErrorFamily> shutdownFamily() const {
        if (has(words().heldCheck))
            return ShutdownHeldCheck;
        if (isRenewalEntry())
            return ShutdownRenewal;
        if (has(words().unlock))
            return ShutdownUnlock;
        return ShutdownLock;
    }

    bool hasNullKey() const {
        return std::ranges::any_of(
            m_commands, [](const CommandInText& command) { return command.keys.contains(QLatin1String("null")); });
    }

    void addUnlocks(ErrorFamily family, const PhraseHit& hit, qsizetype at) {
        constexpr qsizetype longest = 600;  // characters of such a message, with the blanks of wraps
        const QString message = m_text.sliced(at, std::min(longest, m_text.size() - at));
        FoundInEntry one = begun(family, hit);
        const QRegularExpressionMatch ids = failedUnlockPattern().match(message);
        one.finding.holder = holderIn(ids);
        if (one.finding.holder && m_entry.endsOpen && at + ids.capturedEnd() >= m_text.trimmed().size())
            one.finding.doubt = Doubt::Thread;
        const QRegularExpressionMatch client = clientPattern().match(message);
        if (words().nodeId.match(message).hasMatch() && client.hasMatch())
            one.finding.client = ClientId(unwrappedId(client.captured(1)));
        addOnce(std::move(one));
    }

    void addRenewal(const PhraseHit& hit, qsizetype at) {
        static const QRegularExpression begin(QStringLiteral("^Can'?t\\s+update\\s+lock(s?)\\s+"));
        FoundInEntry one = begun(RenewalFailed, hit);
        const QRegularExpressionMatch match = begin.match(m_text.mid(at, longestMessage));
        const bool isBatch = !match.captured(1).isEmpty();
        one.finding.detail = isBatch ? Detail::None : Detail::RenewalEnded;
        const RenewedNames found = renewedNames(at + std::max(match.capturedEnd(), qsizetype(0)));
        const bool isList = isBatch && found.names.startsWith(u'[') && found.names.endsWith(u']');
        if (isList)
            addListed(one.finding, found.names.sliced(1, found.names.size() - 2));
        else if (found.names != QLatin1String("{}") && found.names != QLatin1String("[]"))
            one.finding.lock = LockName(found.names.toUtf8());
        if (!found.isSure)
            one.finding.doubt = Doubt::Name;
        addOnce(std::move(one));
    }

    static constexpr qsizetype longestMessage = 4200;  // characters

    struct RenewedNames {
        QString names;
        bool isSure = true;  // false: the name itself may have the word with which the message ends
    };

    // What stands between "Can't update lock" and "expiration", which may be wrapped. The last such word of the line
    // counts, if it ends the line or a field of JSON.
    RenewedNames renewedNames(qsizetype from) const {
        static const QRegularExpression fieldEnd(QStringLiteral("\"\\s*(?=[,}\\n]|$)"));
        static const QRegularExpression last(QStringLiteral("^(.{1,4000})\\s+expiration[\\s.,;\"'`<]*$"));
        static const QRegularExpression first(QStringLiteral("^(.{1,4000}?)\\s+expiration\\b"),
                                              QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression more(QStringLiteral("\\bexpiration\\b"));
        static const QRegularExpression lineEnd(QStringLiteral("[ \\t]*\\n[ \\t]*"));
        const QString part = m_text.mid(from, longestMessage);
        QString line = part.section(u'\n', 0, 0);
        const QRegularExpressionMatch field = fieldEnd.match(line);
        line = field.hasMatch() ? line.first(field.capturedStart()) : line;
        const QRegularExpressionMatch whole = last.match(line);
        if (whole.hasMatch())
            return {whole.captured(1).trimmed(), true};
        const QRegularExpressionMatch begin = first.match(part);
        const bool isInLine = begin.capturedEnd() <= line.size();
        const bool isSure = !isInLine || !more.match(line, begin.capturedEnd()).hasMatch();
        return {begin.captured(1).remove(lineEnd).trimmed(), isSure};
    }

    // A comma in a name is the same as one between two names. It is none where the script has the same number of
    // keys, or where every part is built as a key.
    void addListed(ErrorFinding& finding, const QString& list) const {
        static const QRegularExpression keyLike(QStringLiteral("[:/{}_#]"));
        const QStringList names = list.split(QStringLiteral(", "), Qt::SkipEmptyParts);
        for (const QString& name : names) {
            const LockName lock(name.toUtf8());
            if (finding.lock.isEmpty())
                finding.lock = lock;
            else if (finding.otherLocks.size() < mostOtherLocks)
                finding.otherLocks << lock;
        }
        const auto isKeyOf = [&names](const CommandInText& command) {
            return command.areKeysSure && command.keys.size() >= names.size() && command.keys.contains(names.first());
        };
        const bool areSure =
            names.size() <= 1 || std::ranges::any_of(m_commands, isKeyOf) ||
            std::ranges::all_of(names, [](const QString& name) { return keyLike.match(name).hasMatch(); });
        finding.doubt = areSure ? Doubt::None : Doubt::Name;
    }

    void addNonReentrant(const PhraseHit& hit, qsizetype at) {
        static const QRegularExpression named(
            QStringLiteral("Lock\\s+'([^'\\n]{1,2000})'\\s+is\\s+non-reentrant\\s+and\\s+is\\s+already\\s+held"));
        FoundInEntry one = begun(NonReentrant, hit);
        constexpr qsizetype longest = 2100;
        const QRegularExpressionMatch match = named.match(m_text, std::max(qsizetype(0), at - longest));
        if (match.hasMatch())
            one.finding.lock = LockName(match.captured(1).toUtf8());
        addOnce(std::move(one));
    }

    void add(ErrorFamily family, const PhraseHit& hit, const QString& scope) {
        FoundInEntry one = begun(family, hit);
        for (const CommandInText& command : commandsIn(scope)) {
            if (takeCommand(one.finding, command))
                break;
        }
        addOnce(std::move(one));
    }

    // The channel of a lock is more certain than a key, because it is in braces.
    bool takeCommand(ErrorFinding& finding, const CommandInText& command) const {
        const bool mayBeLock = m_subject == Subject::Lock && (mayBeOfLock(command) || isLockScript(command.script));
        const bool isLock =
            namesHolderOrKey(command) || mayBeLock || (finding.family == PermitNil && !command.script.isEmpty());
        if (!isLock)
            return false;
        if (finding.lock.isEmpty() && command.confirmedLock)
            finding.lock = *command.confirmedLock;
        if (!finding.holder)
            finding.holder = holderAmong(command.arguments);
        for (const QString& key : command.keys + command.arguments) {
            const std::optional<LockName> lock = lockOfKey(key);
            if (lock && finding.lock.isEmpty())
                finding.lock = *lock;
        }
        if (finding.lock.isEmpty() && !command.keys.isEmpty() && command.keys.first() != QLatin1String("null")) {
            finding.lock = LockName(command.keys.first().toUtf8());
            finding.doubt = command.areKeysSure ? Doubt::None : Doubt::Name;
        }
        if (finding.lock.isEmpty())
            finding.lock = onlyKeyOf(command);
        return !finding.lock.isEmpty();
    }

    // Commands of one key, with a field behind it or without; a name may have a comma.
    static LockName onlyKeyOf(const CommandInText& command) {
        const bool hasField = command.command == QLatin1String("HEXISTS") || command.command == QLatin1String("HGET");
        const bool isOfKey =
            hasField || command.command == QLatin1String("EXISTS") || command.command == QLatin1String("PTTL");
        const qsizetype items = command.arguments.size() - (hasField ? 1 : 0);
        if (!isOfKey || !command.isWhole || items <= 0)
            return {};
        return LockName(command.arguments.first(items).join(QStringLiteral(", ")).toUtf8());
    }

    FoundInEntry begun(ErrorFamily family, const PhraseHit& hit) const {
        FoundInEntry one;
        one.finding.family = family;
        one.at = hit.begin;
        return one;
    }

    // A chain of causes repeats its error; what is said less exactly the second time is the same.
    void addOnce(FoundInEntry one) {
        for (FoundInEntry& known : m_found) {
            if (known.finding.family != one.finding.family)
                continue;
            const bool isSameLock =
                known.finding.lock == one.finding.lock || one.finding.lock.isEmpty() || known.finding.lock.isEmpty();
            const bool isSameHolder = known.finding.holder == one.finding.holder || !one.finding.holder ||
                                      !known.finding.holder || !known.finding.lock.isEmpty();
            if (!isSameLock || !isSameHolder)
                continue;
            if (known.finding.lock.isEmpty()) {
                known.finding.lock = one.finding.lock;
                known.finding.doubt = one.finding.doubt;
            }
            if (!known.finding.holder)
                known.finding.holder = one.finding.holder;
            if (!known.finding.client)
                known.finding.client = one.finding.client;
            return;
        }
        m_found.push_back(std::move(one));
    }

    bool isFound(ErrorFamily family) const {
        return std::ranges::any_of(m_found, [family](const auto& one) { return one.finding.family == family; });
    }

    void drop(ErrorFamily family) {
        std::erase_if(m_found, [family](const FoundInEntry& one) { return one.finding.family == family; });
    }

    void dropLesser() {
        for (const Precedence& rule : Tables::precedences) {
            if (isFound(rule.better))
                drop(rule.other);
        }
        const auto isMore = [](const FoundInEntry& one) {
            return one.finding.family != ConnectionFailed && one.finding.family != RenewalFailed;
        };
        const bool hasFailedConnection = isFound(ConnectionFailed);
        if (std::ranges::any_of(m_found, isMore))
            drop(ConnectionFailed);
        for (FoundInEntry& one : m_found) {
            if (one.finding.family == PoolExhausted && hasFailedConnection)
                one.finding.cause = ConnectionFailed;
        }
    }

    // What stands below a failed renewal is its cause.
    void joinRenewal() {
        const auto renewal =
            std::ranges::find_if(m_found, [](const FoundInEntry& one) { return one.finding.family == RenewalFailed; });
        if (renewal == m_found.end())
            return;
        std::optional<ErrorFamily> cause;
        ErrorFinding below;
        for (const FoundInEntry& one : m_found) {
            if (one.finding.family == RenewalFailed || cause)
                continue;
            cause = one.finding.family;
            below = one.finding;
        }
        if (!cause && has(words().anyNullPointer))
            cause = RenewalNoEntry;
        std::erase_if(m_found, [](const FoundInEntry& one) { return one.finding.family != RenewalFailed; });
        for (FoundInEntry& one : m_found) {
            one.finding.cause = cause;
            if (one.finding.lock.isEmpty()) {
                one.finding.lock = below.lock;
                one.finding.doubt = below.doubt;
            }
            if (one.finding.lock == below.lock && !one.finding.holder)
                one.finding.holder = below.holder;
        }
    }

    void complete(FoundInEntry& one) const {
        ErrorFinding& finding = one.finding;
        if (finding.lock.isEmpty())
            takeFromEntry(finding);
        if (finding.holder)
            finding.client = finding.holder->client();
        finding.first = timeOf(one.at);
        finding.last = finding.first;
        finding.version = versionIn(m_text);
        if (finding.lock.bytes().contains(replacementCharacter))
            finding.doubt = Doubt::NotUtf8;
        if (finding.family == NoPermission && isReleasedSilently(one.at))
            finding.detail = Detail::ReleasedSilently;
        finding.certainty = certaintyOf(finding);
    }

    // The script of an unlock deletes the lock before it publishes.
    bool isReleasedSilently(size_t at) const {
        constexpr qsizetype longest = 400;
        const auto publishes = [](const CommandInText& command) {
            const auto isChannel = [](const QString& key) {
                return key.startsWith(QLatin1String("redisson_lock__channel")) ||
                       key.startsWith(QLatin1String("redisson_rwlock"));
            };
            return command.command.startsWith(QLatin1String("EVAL")) &&
                   (command.confirmedLock || std::ranges::any_of(command.keys, isChannel));
        };
        return words().publishing.match(m_text.mid(placeOf(at), longest)).hasMatch() &&
               std::ranges::any_of(m_commands, publishes);
    }

    // Another command or key of the entry: the same error, reported by another part of the client.
    void takeFromEntry(ErrorFinding& finding) const {
        for (const CommandInText& command : m_commands) {
            if (takeCommand(finding, command))
                return;
        }
        const qsizetype end = m_text.trimmed().size();
        for (const LockKeyInText& key : lockKeysIn(m_text)) {
            const bool mayBeCut = m_entry.isAtEnd && key.end >= end && !key.isClosed;
            if (finding.lock.isEmpty() && !mayBeCut)
                finding.lock = key.lock;
        }
        if (finding.holder || finding.family == UnlockNotHeld || finding.family == UnlockOtherThread)
            return;
        const QRegularExpressionMatch holder = holderPattern().match(m_text);
        const bool mayBeCut = m_entry.isAtEnd && holder.capturedEnd() >= end;
        if (!mayBeCut)
            finding.holder = holderIn(holder);
    }

    Certainty certaintyOf(const ErrorFinding& finding) const {
        const bool isOfHolder = finding.family == UnlockNotHeld && finding.holder;
        if (finding.family == UnlockOtherThread || finding.doubt != Doubt::None)
            return Certainty::Likely;
        const bool isSubject = m_subject == Subject::Lock || finding.family == PermitNil;
        if (isOfHolder || (!finding.lock.isEmpty() && isSubject))
            return Certainty::Certain;
        if (finding.family == UnlockNotHeld)
            return finding.client || m_isOfClient ? Certainty::Likely : Certainty::Suspected;
        const bool areOnlyOfLocks = finding.family == WaitUnknown || finding.family == EvalUnknown ||
                                    finding.family == ReplicasNotSynced || finding.family == WaitOnReplica ||
                                    finding.family == NonReentrant || finding.family == RenewalNoEntry ||
                                    finding.family == PermitNil;
        return m_subject == Subject::Lock || areOnlyOfLocks ? Certainty::Likely : Certainty::Suspected;
    }

    std::optional<LogTime> timeOf(size_t at) const {
        const qsizetype place = placeOf(at);
        std::optional<LogTime> time = timeAt(m_text, place, m_zone);
        if (!time && m_text.trimmed().startsWith(u'{'))
            time = firstTimeIn(m_text, place, m_zone);
        if (time || m_entry.head.empty())
            return time;
        const QString head = QString::fromUtf8(m_entry.head.data(), static_cast<qsizetype>(m_entry.head.size()));
        return firstTimeIn(head, 0, m_zone);
    }

    const LogEntry& m_entry;
    const std::vector<PhraseHit>& m_hits;
    const QTimeZone& m_zone;
    const QString m_text;
    const QList<CommandInText> m_commands;
    const Subject m_subject;
    const bool m_isOfClient;
    std::vector<FoundInEntry> m_found;
};

}  // namespace

PhraseScan scanForFamilies() {
    std::vector<std::string_view> phrases;
    for (const PhraseRow& row : Tables::phrases)
        phrases.emplace_back(row.phrase);
    return PhraseScan(phrases);
}

size_t beginOfPhrase(int phrase, std::string_view text, size_t end) {
    size_t left = std::string_view(Tables::phrases[phrase].phrase).size();
    size_t begin = end;
    while (begin > 0 && left > 0) {
        --begin;
        const char character = text[begin];
        left -= character == ' ' || character == '\t' || character == '\n' || character == '\r' ? 0 : 1;
    }
    return begin;
}

std::vector<FoundInEntry> explainEntry(const LogEntry& entry, const std::vector<PhraseHit>& hits,
                                       const QTimeZone& zone) {
    return Explanation(entry, hits, zone).run();
}

}  // namespace lockkeeper::monitor
