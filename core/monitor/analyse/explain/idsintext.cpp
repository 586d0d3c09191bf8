// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/idsintext.h"

#include "locks/lockkeys.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

const QString wrap = QStringLiteral("(?:[ \\t]*\\n[ \\t]*)?");

// Matches the same text, wrapped anywhere.
QString wrapped(const QString& text) {
    QStringList parts;
    for (const QChar character : text)
        parts << (character == u' ' ? QStringLiteral("\\s*") : QRegularExpression::escape(QString(character)));
    return parts.join(wrap);
}

QString wrappedUuid() {
    QStringList groups;
    for (const int length : {8, 4, 4, 4, 12})
        groups << QStringList(length, QStringLiteral("[0-9a-fA-F]")).join(wrap);
    return QStringLiteral("(?<![0-9a-fA-F-])(%1)").arg(groups.join(wrap + QLatin1Char('-') + wrap));
}

// A number ends at the end of its line: the next line may begin with a time.
const QString numberPattern = QStringLiteral("(-?[0-9]{1,19})(?![0-9])");

// Redisson 2 writes "redisson_lock__channel__{NAME}", and always adds the braces.
std::optional<LockName> lockOfOldChannel(const QString& key) {
    for (const char* prefix : {"redisson_lock__channel__{", "redisson_rwlock__{"}) {
        const QLatin1String begin(prefix);
        const qsizetype end = key.lastIndexOf(u'}');
        if (key.startsWith(begin) && end > begin.size())
            return LockName(key.mid(begin.size(), end - begin.size()).toUtf8());
    }
    return std::nullopt;
}

bool endsWord(QChar character) {
    return character.isSpace() || character == u'"' || character == u'\'' || character == u'`';
}

constexpr qsizetype longestKey = 4000;  // characters: a longer word is no key of a lock

// Where the braces that begin at `from` are closed; -1 if they are not, in this line.
qsizetype closingBrace(QStringView text, qsizetype from) {
    int depth = 0;
    for (qsizetype i = from; i < text.size() && text[i] != u'\n'; ++i) {
        depth += text[i] == u'{' ? 1 : text[i] == u'}' ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return -1;
}

// A list or a sentence continues behind the name.
qsizetype endOfWord(QStringView text, qsizetype from, bool isInBraces) {
    qsizetype end = from;
    while (end < text.size() && !endsWord(text[end])) {
        const bool isLast = end + 1 == text.size() || endsWord(text[end + 1]);
        const bool isListEnd = text[end] == u',' && isLast;
        const bool isClosed = isInBraces && QStringView(u",;)]}").contains(text[end]);
        if (isListEnd || isClosed)
            break;
        ++end;
    }
    return end;
}

// Punctuation, and closing brackets that were not opened in the name.
QString withoutPunctuation(QString word) {
    const auto isUnopened = [&word](QChar open, QChar close) {
        return word.endsWith(close) && word.count(close) > word.count(open);
    };
    while (!word.isEmpty() && (QStringView(u".,;:!?").contains(word.back()) || isUnopened(u'(', u')') ||
                               isUnopened(u'[', u']') || isUnopened(u'{', u'}')))
        word.chop(1);
    return word;
}

QString keyAt(QStringView all, qsizetype prefixEnd) {
    const QStringView text = all.first(std::min(all.size(), longestKey));
    const bool isInBraces = prefixEnd < text.size() && text[prefixEnd] == u'{';
    const qsizetype brace = isInBraces ? closingBrace(text, prefixEnd) : -1;
    if (isInBraces && brace < 0)
        return {};
    const qsizetype end = endOfWord(text, brace < 0 ? prefixEnd : brace + 1, brace >= 0);
    if (end == longestKey)
        return {};
    const QString key = text.first(end).toString();
    return brace >= 0 && end == brace + 1 ? key : withoutPunctuation(key);
}

const QRegularExpression& keyPrefix() {
    static const QRegularExpression pattern(QStringLiteral(
        "redisson_(?:lock__channel|rwlock|lock_queue|lock_timeout|lock_token|unlock_latch)(?::|__(?=\\{))"));
    return pattern;
}

// Joins the lines of a list of parameters. The lines of a stack trace end it.
QString unwrappedList(QStringView list) {
    static const QRegularExpression trace(
        QStringLiteral("\\n[ \\t]*(?:at \\S|Caused by\\b|\\.\\.\\. \\d+ |Suppressed:)"));
    static const QRegularExpression lineEnd(QStringLiteral("[ \\t]*\\n[ \\t]*"));
    static const QRegularExpression behindComma(QStringLiteral(",[ \\t]*\\n[ \\t]*"));
    const QString whole = list.toString();
    const QRegularExpressionMatch end = trace.match(whole);
    QString text = end.hasMatch() ? whole.first(end.capturedStart()) : whole;
    return text.replace(behindComma, QStringLiteral(", ")).remove(lineEnd);
}

const QString betweenItems = QStringLiteral(", ");

struct ListText {
    QString text;
    bool isWhole = false;
};

// Up to the bracket that closes the list, which brackets in a name do not. Without it, the last item may be cut, so it
// is left out.
ListText closedList(const QString& list) {
    int depth = 1;
    for (qsizetype i = 0; i < list.size(); ++i) {
        if (list[i] == u'[')
            ++depth;
        if (list[i] != u']')
            continue;
        const bool isEnd =
            i + 1 == list.size() || list[i + 1].isSpace() || QStringView(u",.)]>;'\"`}").contains(list[i + 1]);
        if (depth > 1 || isEnd)
            --depth;
        if (depth == 0)
            return {list.first(i), true};
    }
    return {list.first(std::max(qsizetype(0), list.lastIndexOf(betweenItems))), false};
}

QStringList itemsOf(const QString& list) {
    return list.isEmpty() ? QStringList() : list.split(betweenItems);
}

constexpr qsizetype longestParameters = 20'000;  // characters

std::optional<LockName> lockBeforeItsChannel(const QString& list) {
    static const QRegularExpression key(
        QStringLiteral("^(.{1,4000}?), "
                       "redisson_(?:lock__channel|rwlock|lock_queue|lock_timeout|lock_token|unlock_latch)(?::|__)"));
    const QRegularExpressionMatch match = key.match(list);
    const QString name = match.captured(1);
    const QStringView behind = QStringView(list).sliced(std::max(match.capturedEnd(), qsizetype(0)));
    const bool isSame = match.hasMatch() && (behind.startsWith(name) || behind.startsWith(u'{' + name + u'}'));
    return isSame ? std::optional(LockName(name.toUtf8())) : std::nullopt;
}

// Behind the only key a lock's script has the lease and the holder, so a comma in the name does no harm.
qsizetype endOfOnlyKey(const QString& list) {
    static const QRegularExpression beforeHolder(
        QStringLiteral("^.{1,4000}?(?=, (?:-?\\d{1,19}, )?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}:)"));
    static const QRegularExpression beforeLease(QStringLiteral("^.{1,4000}?(?=, -?\\d{1,19}(?:, |$))"));
    const QRegularExpressionMatch holder = beforeHolder.match(list);
    return holder.hasMatch() ? holder.capturedEnd() : beforeLease.match(list).capturedEnd();
}

void readKeys(CommandInText& command, const QString& list, qsizetype count) {
    static const QRegularExpression number(QStringLiteral("^-?\\d{1,19}$"));
    const qsizetype end = count == 1 ? endOfOnlyKey(list) : -1;
    if (end > 0) {
        command.keys = {list.first(end)};
        command.arguments = itemsOf(list.mid(end + betweenItems.size()));
        command.areKeysSure = true;
        return;
    }
    const QStringList items = itemsOf(list);
    const qsizetype keys = std::min(count, items.size());
    command.keys = items.first(keys);
    command.arguments = items.sliced(keys);
    command.areKeysSure = !command.arguments.isEmpty() && number.match(command.arguments.first()).hasMatch();
}

void readParameters(CommandInText& command, const QString& list) {
    // How many keys there are follows the script, or the end of its beginning, or its hash.
    static const QRegularExpression keyCount(
        QStringLiteral("(?:\\.\\.\\.|;|\\bend|\\bnil|\\}|\\)|\\b[0-9a-f]{40})\\s*,\\s+(\\d{1,3}),\\s+"));
    const QRegularExpressionMatch count =
        command.command.startsWith(QLatin1String("EVAL")) ? keyCount.match(list) : QRegularExpressionMatch();
    const QString parameters = count.hasMatch() ? list.sliced(count.capturedEnd()) : list;
    const ListText closed = closedList(parameters);
    command.isWhole = closed.isWhole;
    if (!count.hasMatch()) {
        command.arguments = itemsOf(closed.text);
        return;
    }
    command.script = list.first(count.capturedStart(1));
    command.confirmedLock = lockBeforeItsChannel(parameters);
    readKeys(command, closed.text, count.captured(1).toInt());
}

}  // namespace

const QRegularExpression& failedUnlockPattern() {
    static const QRegularExpression pattern(wrapped(QStringLiteral("node id: ")) + wrappedUuid() +
                                            QStringLiteral("\\s*") + wrapped(QStringLiteral("thread-id: ")) +
                                            numberPattern);
    return pattern;
}

const QRegularExpression& holderPattern() {
    static const QRegularExpression pattern(wrappedUuid() + wrap + QLatin1Char(':') + wrap + numberPattern);
    return pattern;
}

const QRegularExpression& clientPattern() {
    static const QRegularExpression pattern(wrappedUuid() + QStringLiteral("(?![0-9a-fA-F-])"));
    return pattern;
}

QByteArray unwrappedId(QString uuid) {
    static const QRegularExpression blank(QStringLiteral("\\s"));
    return uuid.remove(blank).toLatin1();
}

std::optional<HolderId> holderIn(const QRegularExpressionMatch& match) {
    return HolderId::parse(unwrappedId(match.captured(1)) + ':' + match.captured(2).toLatin1());
}

std::optional<LockName> lockOfKey(const QString& key) {
    if (std::optional<LockName> old = lockOfOldChannel(key))
        return old;
    const QByteArray bytes = key.toUtf8();
    std::optional<LockName> lock = locks::lockOfChannel(bytes);
    return lock ? lock : locks::lockOfHelperKey(bytes);
}

QList<LockKeyInText> lockKeysIn(const QString& text) {
    QList<LockKeyInText> keys;
    for (auto found = keyPrefix().globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const QStringView rest = QStringView(text).sliced(match.capturedStart());
        const QString key = keyAt(rest, match.capturedLength());
        const std::optional<LockName> lock = lockOfKey(key);
        if (lock)
            keys << LockKeyInText{*lock, match.capturedStart() + key.size(), key.endsWith(u'}')};
    }
    return keys;
}

QList<CommandInText> commandsIn(const QString& text) {
    static const QRegularExpression named(QStringLiteral("[Cc]ommand\\s*[:=]\\s*\\(\\s*([A-Za-z]+)"));
    static const QRegularExpression listed(QStringLiteral("params\\s*[:=]\\s*\\["));
    QList<CommandInText> commands;
    for (auto found = named.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const QRegularExpressionMatch next = named.match(text, match.capturedEnd());
        const qsizetype end = next.hasMatch() ? next.capturedStart() : text.size();
        const QRegularExpressionMatch list = listed.match(text, match.capturedEnd());
        CommandInText command;
        command.command = match.captured(1).toUpper();
        if (list.hasMatch() && list.capturedStart() < end) {
            const qsizetype length = std::min(end - list.capturedEnd(), longestParameters);
            readParameters(command, unwrappedList(QStringView(text).sliced(list.capturedEnd(), length)));
        }
        commands << command;
    }
    return commands;
}

}  // namespace lockkeeper::monitor
