// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/clianswers.h"

#include "base/exacttext.h"
#include "locks/lockkeys.h"
#include "monitor/analyse/who/quotedstrings.h"
#include "monitor/observe/read/lockdecoder.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

constexpr qsizetype longestPromptLine = 64 * 1024;
constexpr qsizetype mostItems = 4096;
constexpr qsizetype mostShownKeys = 100'000;
constexpr qsizetype longestItem = 1024;

// The arguments of a command as a user has typed it: words, or strings in quotes.
QByteArrayList wordsIn(QByteArrayView text) {
    QByteArrayList words;
    constexpr qsizetype mostWords = 64;
    qsizetype at = 0;
    while (at < text.size() && words.size() < mostWords) {
        if (text[at] == ' ') {
            ++at;
            continue;
        }
        QByteArray word;
        if (text[at] == '"') {
            qsizetype end = at + 1;
            while (end < text.size() && text[end] != '"')
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
            monitor::QuotedStrings string(text.sliced(at, end - at));
            word = string.next().value_or(QByteArray());
            at = end;
        } else if (text[at] == '\'') {
            const qsizetype end = text.indexOf('\'', at + 1);
            word = text.sliced(at + 1, (end < 0 ? text.size() : end) - at - 1).toByteArray();
            at = end < 0 ? text.size() : end + 1;
        } else {
            const qsizetype end = text.indexOf(' ', at);
            word = text.sliced(at, (end < 0 ? text.size() : end) - at).toByteArray();
            at = end < 0 ? text.size() : end;
        }
        words += word;
    }
    return words;
}

// "127.0.0.1:6379> HGETALL x", "redis /tmp/s[3]> ttl x", "$ redis-cli -n 3 pttl x"
const QRegularExpression& promptForm() {
    static const QRegularExpression form(QStringLiteral(
        R"(^(.{0,16}?)(?:(?:[A-Za-z0-9_.:\-\[\]]{1,255}:\d{1,5}|redis|valkey|not connected|redis /\S{1,200})(?:\[(\d{1,4})\])?(?:\(TX\))?>|\S{0,64}[$#%]\s(?=(?:redis|valkey)-cli\s))\s*(.*)$)"));
    return form;
}

bool isKnownCommand(const QByteArray& command) {
    static const QByteArrayList known{"hgetall", "ttl", "pttl", "lrange", "zrange", "get"};
    return known.contains(command);
}

// `redis-cli -h x -n 3 HGETALL k`: drops the program and its options. The database goes to `database`.
void dropProgram(QByteArrayList& words, int& database) {
    if (words.isEmpty() || !words.first().endsWith("-cli"))
        return;
    words.removeFirst();
    while (!words.isEmpty() && words.first().startsWith('-')) {
        const QByteArray option = words.takeFirst();
        const bool hasValue = option == "-h" || option == "-p" || option == "-n" || option == "-a" || option == "-u" ||
                              option == "-s" || option == "--user" || option == "--pass";
        if (option == "-n")
            database = words.value(0).toInt();
        if (hasValue && !words.isEmpty())
            words.removeFirst();
    }
}

// `12) "text"`, `3# "field" => "value"`, `(integer) 5`, `"text"`, or text without quotes.
QByteArrayList itemsIn(QByteArrayView line) {
    while (line.startsWith(' '))
        line = line.sliced(1);
    // The number of the item; lists of pairs have two.
    for (int depth = 0; depth < 2; ++depth) {
        qsizetype digits = 0;
        while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9')
            ++digits;
        const bool isNumbered = digits > 0 && digits + 1 < line.size() &&
                                (line[digits] == ')' || line[digits] == '#') && line[digits + 1] == ' ';
        if (!isNumbered)
            break;
        line = line.sliced(digits + 2);
    }
    for (const QByteArrayView type : {"(integer) ", "(double) "}) {
        if (line.startsWith(type))
            return {line.sliced(type.size()).toByteArray()};
    }
    // Between a question and its answer, in a Cluster.
    if (line.startsWith("-> Redirected to slot"))
        return {};
    if (line.startsWith("(nil)") || line.startsWith("(empty") || line.startsWith("(error)"))
        return {};
    if (!line.startsWith('"'))
        return line.isEmpty() ? QByteArrayList() : QByteArrayList{line.toByteArray()};
    QByteArrayList items;
    monitor::QuotedStrings strings(line);
    if (const std::optional<QByteArray> item = strings.next())
        items += *item;
    constexpr QByteArrayView arrow = " => ";
    const qsizetype behind = line.indexOf("\" => ");
    if (behind < 0)
        return items;
    const QByteArrayView value = line.sliced(behind + 1 + arrow.size());
    return items + itemsIn(value);
}

}  // namespace

void CliAnswers::feed(QByteArrayView line) {
    if (line.size() > longestPromptLine || readPrompt(line) || m_command.isEmpty())
        return;
    readItem(line);
}

bool CliAnswers::readPrompt(QByteArrayView line) {
    constexpr qsizetype longestPrompt = 300;
    const QByteArrayView begin = line.first(std::min(line.size(), longestPrompt));
    if (!begin.contains('>') && !begin.contains("-cli "))
        return false;
    const QRegularExpressionMatch match = promptForm().match(QString::fromLatin1(line));
    if (!match.hasMatch() || match.captured(1).contains(u'"'))
        return false;
    endAnswer();
    m_prefix = match.captured(1).toLatin1();
    m_database = match.captured(2).toInt();
    m_command = wordsIn(match.captured(3).toLatin1());
    dropProgram(m_command, m_database);
    if (!m_command.isEmpty())
        m_command.first() = m_command.first().toLower();
    if (m_command.value(0) == "keys" || m_command.value(0) == "type" || m_command.value(0) == "exists")
        ++m_answers;
    if (m_command.size() < 2 || !isKnownCommand(m_command.first()))
        m_command.clear();
    return true;
}

void CliAnswers::readItem(QByteArrayView line) {
    if (!m_prefix.isEmpty() && line.startsWith(m_prefix))
        line = line.sliced(m_prefix.size());
    for (const QByteArray& item : itemsIn(line)) {
        if (m_items.size() < mostItems && item.size() <= longestItem)
            m_items += item;
    }
}

void CliAnswers::endAnswer() {
    if (m_command.isEmpty())
        return;
    ++m_answers;
    const TraceKey key{m_database, m_command[1]};
    if (m_keys.size() < mostShownKeys || m_keys.contains(key)) {
        if (m_command.first().endsWith("ttl"))
            addTtl();
        else
            addPairs();
    }
    m_command.clear();
    m_items.clear();
}

void CliAnswers::addTtl() {
    Key& key = m_keys[{m_database, m_command[1]}];
    const std::optional<qint64> number = canonicalInteger(m_items.value(0));
    constexpr qint64 longest = 3'155'760'000'000;  // ms: a hundred years
    const qint64 unit = m_command.first() == "ttl" ? 1000 : 1;
    if (!number || *number > longest / unit)
        return;
    key.isTtlKnown = true;
    key.ttl.reset();
    if (*number >= 0)
        key.ttl = std::chrono::milliseconds(*number * unit);
}

// Only what a lock has is kept.
void CliAnswers::addPairs() {
    Key& key = m_keys[{m_database, m_command[1]}];
    key.type = m_command.first();
    key.pairs.clear();
    const bool isList = key.type == "lrange";
    if (key.type == "get") {
        if (m_items.size() == 1 && canonicalInteger(m_items.first()))
            key.pairs.emplace_back(QByteArray(), m_items.first());
        return;
    }
    for (qsizetype i = 0; i + (isList ? 0 : 1) < m_items.size(); i += isList ? 1 : 2) {
        const QByteArray second = isList ? QByteArray() : m_items[i + 1];
        const bool isOfLock =
            key.type == "hgetall" ? isLockField(m_items[i], second) : HolderId::parse(m_items[i]).has_value();
        if (isOfLock)
            key.pairs.emplace_back(m_items[i], second);
    }
}

void CliAnswers::show(TraceModel& model, ServerTime at, TraceNotes& notes) const {
    QList<TraceKey> locks;
    for (const auto& [key, shown] : m_keys.asKeyValueRange()) {
        if (shown.pairs.empty())
            continue;
        TraceKeys::Content* content = model.keys().make(key);
        if (!content)
            continue;
        content->pairs = shown.pairs;
        if (shown.isTtlKnown && shown.ttl)
            content->end = at + *shown.ttl;
        content->isEndKnown = shown.isTtlKnown;
        const std::optional<LockName> helped = locks::lockOfHelperKey(key.name);
        const TraceKey lock{key.database, helped ? helped->bytes() : key.name};
        if (shown.type == "hgetall" && !shown.isTtlKnown)
            ++notes.withoutTtl;
        if (!locks.contains(lock))
            locks += lock;
    }
    std::ranges::sort(locks, [](const TraceKey& a, const TraceKey& b) {
        return std::tie(a.database, a.name) < std::tie(b.database, b.name);
    });
    for (const TraceKey& lock : locks)
        model.show(lock, at);
}

}  // namespace lockkeeper::recording
