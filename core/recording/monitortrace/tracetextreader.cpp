// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracetextreader.h"

#include "locks/lockkeys.h"

#include <QCryptographicHash>
#include <QSet>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

using namespace std::chrono_literals;
using monitor::MonitorLine;

// How far it reads ahead of what it processes.
constexpr size_t mostAhead = 256;
constexpr qsizetype mostBytesAhead = 4 * 1024 * 1024;
constexpr ServerTime longestAhead = 1s;
// Clients send a PING at least every 30 s: in a longer pause the trace was not written.
constexpr ServerTime longestSilence = 40s;
constexpr size_t mostCommandsOfScript = 20'000;
constexpr qsizetype mostScripts = 1000;
// Lines of one server may change places, but not over such a time; steady times hold 292 years.
constexpr ServerTime longestStepBack = 10s;
constexpr ServerTime longestStepAhead = 24h * 365;

// Commands that may change locks or show something about them. All others are dropped unread.
bool isOfInterest(QByteArrayView name) {
    static const QSet<QByteArray> names{
        "EVAL",    "EVALSHA",  "EVAL_RO",     "EVALSHA_RO",   "FCALL",    "FCALL_RO", "SCRIPT",  "DEL",
        "UNLINK",  "PEXPIRE",  "EXPIRE",      "PEXPIREAT",    "EXPIREAT", "PERSIST",  "HSET",    "HMSET",
        "HSETNX",  "HDEL",     "HINCRBY",     "HEXISTS",      "HGET",     "HKEYS",    "EXISTS",  "SET",
        "SETEX",   "PSETEX",   "INCR",        "DECR",         "INCRBY",   "DECRBY",   "LPOP",    "RPOP",
        "LPUSH",   "RPUSH",    "LREM",        "LINDEX",       "ZADD",     "ZREM",     "ZINCRBY", "ZSCORE",
        "PUBLISH", "SPUBLISH", "SUBSCRIBE",   "SSUBSCRIBE",   "RENAME",   "RENAMENX", "COPY",    "MOVE",
        "SWAPDB",  "RESTORE",  "UNSUBSCRIBE", "SUNSUBSCRIBE", "QUIT",     "RESET",    "FLUSHDB", "FLUSHALL"};
    constexpr qsizetype longestName = 12;
    return name.size() <= longestName && names.contains(name.toByteArray().toUpper());
}

// Reads that show nothing unless a script has made them.
bool isRead(const QByteArray& name) {
    static const QSet<QByteArray> names{"HEXISTS", "HGET", "HKEYS", "EXISTS", "LINDEX", "ZSCORE"};
    return names.contains(name);
}

// Strings are only of interest if a script has used them.
bool isOfString(const QByteArray& name) {
    static const QSet<QByteArray> names{"SET", "SETEX", "PSETEX", "INCR", "DECR", "INCRBY", "DECRBY"};
    return names.contains(name);
}

QByteArrayView nameIn(QByteArrayView line) {
    const qsizetype quote = line.indexOf("] \"");
    if (quote < 0)
        return {};
    const QByteArrayView rest = line.sliced(quote + 3);
    return rest.first(std::max<qsizetype>(rest.indexOf('"'), 0));
}

QByteArray hostOf(const QByteArray& address) {
    return address.first(std::max<qsizetype>(address.lastIndexOf(':'), 0));
}

QByteArray hashOf(const QByteArray& source) {
    return QCryptographicHash::hash(source, QCryptographicHash::Sha1).toHex();
}

QByteArray upperName(const MonitorLine& line) {
    return line.arguments.first().toUpper();
}

bool isCall(const QByteArray& name) {
    return name == "EVAL" || name == "EVALSHA" || name == "FCALL";
}

// Its lines are of interest only because they are no lines of another script.
bool isReadingCall(const QByteArray& name) {
    return name == "EVAL_RO" || name == "EVALSHA_RO" || name == "FCALL_RO";
}

// Whether a script has sent the line, as far as the line begins.
bool isLineOfScript(QByteArrayView line) {
    const qsizetype closed = line.indexOf(']');
    return closed > 0 && line.first(closed).endsWith(" lua");
}

// Whether the command is of the same script as those before it. Where the calls were filtered out of the text, a
// script is taken to begin when something is asked after a write.
bool belongsTo(const MonitorLine& call, const std::vector<TraceStep::Command>& before, const MonitorLine& line) {
    if (before.size() >= mostCommandsOfScript)
        return false;
    if (!call.isOfScript())
        return isCall(upperName(call)) || isReadingCall(upperName(call));
    constexpr ServerTime longestPause = 1ms;
    const QByteArray last = before.empty() ? QByteArray() : before.back().arguments.first().toUpper();
    return line.database == call.database && line.time - before.back().at <= longestPause &&
           (!isRead(upperName(line)) || isRead(last));
}

// Nothing if the numbers do not fit.
std::optional<TraceScript::Call> callOf(const MonitorLine& line) {
    constexpr qsizetype keysAt = 3;
    bool isNumber = false;
    const qsizetype keys = line.arguments.value(2).toInt(&isNumber);
    if (!isNumber || keys < 0 || keys > line.arguments.size() - keysAt)
        return std::nullopt;
    return TraceScript::Call{line.database, line.arguments.mid(keysAt, keys), line.arguments.mid(keysAt + keys),
                             line.time};
}

}  // namespace

TraceTextReader::TraceTextReader(Options options, TraceModel::Sink sink)
    : m_options(std::move(options)),
      m_lineSink([this](QByteArrayView line, TraceLines::Kind kind) {
          ++m_linesRead;
          if (kind == TraceLines::Kind::Monitor)
              readLine(line);
          else if (!m_model.hasBegun())
              m_answers.feed(line);
      }),
      m_scripts(m_options.scripts),
      m_model(m_notes, std::move(sink)) {}

void TraceTextReader::feed(QByteArrayView chunk) {
    m_lines.feed(chunk, m_lineSink);
}

void TraceTextReader::end() {
    m_lines.end(m_lineSink);
    finish();
    if (m_model.hasBegun()) {
        m_model.advance(m_now);
        m_model.endBatch(m_now);
        return;
    }
    m_answers.end();
    if (m_answers.isEmpty())
        return;
    m_notes.kind = TraceNotes::Kind::State;
    m_begun = m_now = m_options.stateAt;
    m_model.begin(m_options.server, m_now);
    m_answers.show(m_model, m_now, m_notes);
    m_model.endBatch(m_now);
}

void TraceTextReader::finish() {
    while (!m_window.empty()) {
        const Step step = std::move(m_window.front());
        m_window.pop_front();
        process(step);
    }
    m_windowBytes = 0;
}

void TraceTextReader::readLine(QByteArrayView line) {
    std::optional<ServerTime> time = monitor::monitorTimeIn(line);
    const bool hasCommand = line.contains("] \"");
    if (!hasCommand && m_model.hasBegun()) {
        ++m_notes.cutLines;
        m_isScriptOpen = m_isScriptOpen && isLineOfScript(line);
    }
    if (!time || !hasCommand)
        return;
    if (!m_model.hasBegun()) {
        m_begun = m_now = *time;
        m_model.begin(m_options.server, *time);
    }
    ++m_notes.commands;
    *time += m_shift;
    // The clock was set, or it is another server's line: the times go on from the line before.
    if (m_now - *time > longestStepBack || *time - m_now > longestStepAhead) {
        ++m_notes.clockJumps;
        m_shift += m_now - *time;
        *time = m_now;
    }
    if (*time < m_now)
        ++m_notes.outOfOrder;
    if (*time - m_now > longestSilence) {
        finish();
        m_model.advance(m_now);
        m_model.skip();
    }
    m_now = std::max(m_now, *time);
    // Whatever a client sends ends the script before it, also if the line is not of interest or cut off.
    m_isScriptOpen = m_isScriptOpen && isLineOfScript(line);
    if (line.size() >= TraceLines::longestLine) {
        ++m_notes.cutLines;
    } else if (isOfInterest(nameIn(line))) {
        std::optional<MonitorLine> parsed = MonitorLine::parse(line);
        if (parsed && parsed->isWhole) {
            parsed->time = m_now;
            add(*std::move(parsed));
        } else {
            ++m_notes.cutLines;
        }
    } else if (nameIn(line).isEmpty()) {
        ++m_notes.cutLines;
    }
    drain(m_now);
}

void TraceTextReader::add(MonitorLine line) {
    qsizetype bytes = 0;
    for (const QByteArray& argument : line.arguments)
        bytes += argument.size() + qsizetype{sizeof(QByteArray)};
    m_windowBytes += bytes;
    if (line.isOfScript()) {
        m_scripts = Scripts::ByLines;
        const bool isOpen = std::exchange(m_isScriptOpen, true) && !m_window.empty();
        if (!isOpen || !belongsTo(m_window.back().line, m_window.back().ofScript, line))
            m_window.push_back({line, {}, 0});  // its call is not in the text
        m_window.back().ofScript.push_back({line.time, std::move(line.arguments)});
        m_window.back().bytes += bytes;
        return;
    }
    const QByteArray name = upperName(line);
    const bool isKnown = line.arguments.size() > 1 && m_model.keys().find({line.database, line.arguments[1]});
    if (isRead(name) || (isOfString(name) && !isKnown)) {
        m_windowBytes -= bytes;
        return;
    }
    m_isScriptOpen = isCall(name) || isReadingCall(name);
    m_window.push_back({std::move(line), {}, bytes});
}

// The last step may get further lines of its script.
void TraceTextReader::drain(ServerTime now) {
    while (m_window.size() > 1) {
        const bool isFar = m_window.size() > mostAhead || m_windowBytes > mostBytesAhead ||
                           now - m_window.front().line.time > longestAhead;
        if (!isFar)
            return;
        const Step step = std::move(m_window.front());
        m_window.pop_front();
        m_windowBytes -= step.bytes;
        process(step);
    }
    if (m_window.size() == 1 && now - m_window.front().line.time > longestAhead) {
        const Step step = std::move(m_window.front());
        m_window.pop_front();
        m_windowBytes = 0;
        process(step);
    }
    if (m_window.empty())
        m_model.advance(now);
}

void TraceTextReader::process(const Step& step) {
    m_model.advance(step.line.time);
    const QByteArray name = upperName(step.line);
    if (step.line.isOfScript() || isCall(name) || isReadingCall(name))
        return processScript(step);
    if (name == "SCRIPT") {
        if (step.line.arguments.value(1).toUpper() == "LOAD")
            learn(step.line.arguments.value(2));
        return;
    }
    m_model.run({step.line.database, step.line.address, {{step.line.time, step.line.arguments}}, true});
}

void TraceTextReader::processScript(const Step& step) {
    const bool isSource = !step.line.isOfScript() && upperName(step.line) == "EVAL";
    if (isSource)
        learn(step.line.arguments.value(1));
    if (!step.ofScript.empty())
        m_model.run({step.line.database, step.line.address, step.ofScript, false});
    else if (m_scripts == Scripts::ByCalls && isCall(upperName(step.line)))
        interpret(step);
}

void TraceTextReader::learn(const QByteArray& source) {
    const QByteArray hash = hashOf(source);
    if (m_known.size() < mostScripts && !m_known.contains(hash))
        m_known.insert(hash, TraceScript::recognise(source));
}

void TraceTextReader::interpret(const Step& step) {
    std::optional<TraceScript::Call> call = callOf(step.line);
    if (!call || call->keys.isEmpty())
        return;
    const bool isByHash = upperName(step.line) == "EVALSHA";
    const QByteArray hash = isByHash ? step.line.arguments.value(1).toLower() : hashOf(step.line.arguments.value(1));
    if (isByHash && isUnknownToServer(step, hash))
        return;
    // The text of a function is never known.
    const bool isFunction = upperName(step.line) == "FCALL";
    const std::optional<TraceScript> script = isFunction ? std::nullopt : m_known.value(hash);
    if (!script) {
        if (isAboutLocks(*call))
            m_model.doubt(call->database, call->keys);
        return;
    }
    const TraceKey lock{call->database, call->keys.first()};
    for (const QByteArray& holder : script->shownHolders(*call)) {
        if (!script->releases() || !m_model.hasTried(lock, holder))
            m_model.confirm(lock, holder);
    }
    const bool isNew = m_model.knowledgeOf(lock) == TraceScript::Knowledge::NotSeen;
    const bool isFirst = script->acquires() && isNew;
    if (isFirst && hasFailed(step, *script, *call))
        return;
    if (script->releases() && isNew)
        call->holdsBefore += laterReleases(step, *script, *call);
    const std::vector<QByteArrayList> effects =
        script->effects(*call, m_model.keys(), [this](const TraceKey& key) { return m_model.knowledgeOf(key); });
    if (effects.empty()) {
        if (script->acquires())
            m_model.noteTried(lock, script->holderOf(*call));
        return;
    }
    TraceStep run{step.line.database, step.line.address, {}, false};
    for (const QByteArrayList& effect : effects)
        run.commands.push_back({step.line.time, effect});
    m_model.run(run);
    if (isFirst) {
        ++m_notes.assumedAcquired;
        m_model.assume(lock);
    }
}

// The client has then sent the script itself.
bool TraceTextReader::isUnknownToServer(const Step& step, const QByteArray& hash) const {
    const QByteArray host = hostOf(step.line.address);
    return std::ranges::any_of(m_window, [&](const Step& later) {
        const QByteArray name = later.line.isOfScript() ? QByteArray() : upperName(later.line);
        if (hostOf(later.line.address) != host)
            return false;
        if (name == "SCRIPT" && later.line.arguments.value(1).toUpper() == "LOAD")
            return hashOf(later.line.arguments.value(2)) == hash;
        return name == "EVAL" && later.line.arguments.mid(2) == step.line.arguments.mid(2) &&
               hashOf(later.line.arguments.value(1)) == hash;
    });
}

// A client that did not get the lock subscribes to its channel: then the last try of its host before that has failed,
// and what the host tries while it is subscribed fails, too, until the lock is known. It may be another client's trace
// that begins here, so only the next moments count.
bool TraceTextReader::hasFailed(const Step& step, const TraceScript& script, const TraceScript::Call& call) const {
    const QByteArray host = hostOf(step.line.address);
    const auto isAwaited = [lock = LockName(call.keys.first()), holder = script.holderOf(call)](const auto& channel) {
        const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(channel);
        const bool isOther = waiter && waiter->bytes() != holder;
        return !isOther && locks::locksOfChannel(channel).contains(lock);
    };
    const QByteArrayList subscribed = m_model.channelsOf(host);
    if (std::ranges::any_of(subscribed, isAwaited))
        return true;
    for (const Step& later : m_window) {
        if (later.line.isOfScript() || hostOf(later.line.address) != host)
            continue;
        if (isTryOf(later.line, call))
            return false;
        const QByteArray name = upperName(later.line);
        const bool subscribes = name == "SUBSCRIBE" || name == "SSUBSCRIBE";
        if (subscribes && std::ranges::any_of(later.line.arguments.sliced(1), isAwaited))
            return true;
    }
    return false;
}

// Whether the line tries to acquire the lock of the call.
bool TraceTextReader::isTryOf(const MonitorLine& line, const TraceScript::Call& call) const {
    constexpr qsizetype keysAt = 3;
    if (line.database != call.database || line.arguments.value(keysAt) != call.keys.first())
        return false;
    const std::optional<TraceScript>* script = scriptOf(line);
    return script && (*script)->acquires();
}

const std::optional<TraceScript>* TraceTextReader::scriptOf(const MonitorLine& line) const {
    const QByteArray name = line.isOfScript() ? QByteArray() : upperName(line);
    if (name != "EVAL" && name != "EVALSHA")
        return nullptr;
    const auto known =
        m_known.constFind(name == "EVALSHA" ? line.arguments.value(1).toLower() : hashOf(line.arguments.value(1)));
    return known == m_known.cend() || !known->has_value() ? nullptr : &*known;
}

// How often the holder releases the lock in the next moments before it acquires it again. Each release of a client is
// another one: it sends none for a hold that it has not.
qint64 TraceTextReader::laterReleases(const Step& step, const TraceScript& script,
                                      const TraceScript::Call& call) const {
    qint64 releases = 0;
    for (const Step& later : m_window) {
        const std::optional<TraceScript>* other = scriptOf(later.line);
        const std::optional<TraceScript::Call> made = other ? callOf(later.line) : std::nullopt;
        const bool isSame = made && made->keys.value(0) == call.keys.first() && made->database == call.database &&
                            (*other)->holderOf(*made) == script.holderOf(call);
        if (isSame && (*other)->acquires())
            break;
        const bool isAgain = isSame && (*other)->releases() && later.line.arguments != step.line.arguments;
        releases += isAgain ? 1 : 0;
    }
    return releases;
}

// A call of a script that is not known: of other programs' scripts nothing is said.
bool TraceTextReader::isAboutLocks(const TraceScript::Call& call) const {
    const auto isKnown = [&](const QByteArray& key) {
        return key.startsWith("redisson_") || m_model.knowledgeOf({call.database, key}) == TraceScript::Knowledge::Seen;
    };
    const auto isHolder = [](const QByteArray& value) { return HolderId::parse(value).has_value(); };
    return std::ranges::any_of(call.keys, isKnown) || std::ranges::any_of(call.values, isHolder);
}

TraceTextReader::Scripts scriptsIn(QByteArrayView beginning) {
    return beginning.contains(" lua] \"") ? TraceTextReader::Scripts::ByLines : TraceTextReader::Scripts::ByCalls;
}

bool mayBeTrace(QByteArrayView beginning) {
    bool isTrace = false;
    TraceLines lines;
    CliAnswers answers;
    const TraceLines::Sink sink = [&](QByteArrayView line, TraceLines::Kind kind) {
        isTrace = isTrace || kind == TraceLines::Kind::Monitor;
        answers.feed(line);
    };
    lines.feed(beginning, sink);
    lines.end(sink);
    answers.end();
    return isTrace || !answers.isEmpty();
}

}  // namespace lockkeeper::recording
