// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/lookuptext.h"

#include "base/isotime.h"
#include "locks/lockkeys.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// The time of a log entry is before its message, in the same line or a few lines above.
constexpr qsizetype timeIsNear = 2000;  // characters

// A terminal wraps a line anywhere, and some programs indent the rest.
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

QRegularExpression failedUnlock() {
    return QRegularExpression(wrapped(QStringLiteral("node id: ")) + wrappedUuid() + QStringLiteral("\\s*") +
                              wrapped(QStringLiteral("thread-id: ")) + numberPattern);
}

QRegularExpression holderPattern() {
    return QRegularExpression(wrappedUuid() + wrap + QLatin1Char(':') + wrap + numberPattern);
}

QRegularExpression clientPattern() {
    return QRegularExpression(wrappedUuid() + QStringLiteral("(?![0-9a-fA-F-])"));
}

// Inside braces a name may contain spaces; otherwise it ends with the word.
const QRegularExpression& keyPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("redisson_(?:lock__channel|rwlock|lock_queue|lock_timeout|lock_token|unlock_latch):"
                       "(?:\\{[^{}\\n]*\\}[^\\s\"',;)\\]}]*|[^\\s\"']+)"));
    return pattern;
}

const QRegularExpression& timePattern() {
    static const QRegularExpression pattern(
        QStringLiteral("(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?\\s?"
                       "(?:(Z)|([+-]\\d\\d):?(\\d\\d))"));
    return pattern;
}

std::optional<WallTime> timeOf(const QRegularExpressionMatch& match) {
    const std::optional<WallTime> utc =
        timeFromIso(QStringLiteral("%1T%2.%3Z")
                        .arg(match.captured(1), match.captured(2), match.captured(3).left(3).leftJustified(3, u'0')));
    if (!utc || !match.captured(4).isEmpty())
        return utc;
    const int hours = match.captured(5).toInt();
    const int minutes = match.captured(6).toInt() * (match.captured(5).startsWith(u'-') ? -1 : 1);
    return *utc - std::chrono::minutes(hours * 60 + minutes);
}

void collectStrings(const QJsonValue& value, QStringList& strings) {
    if (value.isString())
        strings << value.toString();
    for (const QJsonValue& one : value.toArray())
        collectStrings(one, strings);
    const QJsonObject object = value.toObject();
    for (auto field = object.begin(); field != object.end(); ++field)
        collectStrings(field.value(), strings);
}

// All strings of a JSON text, times first; nothing if it is not JSON.
std::optional<QStringList> stringsOfJson(const QString& text) {
    const QJsonDocument json = QJsonDocument::fromJson(text.trimmed().toUtf8());
    if (json.isNull())
        return std::nullopt;
    QStringList strings;
    collectStrings(json.isArray() ? QJsonValue(json.array()) : QJsonValue(json.object()), strings);
    const auto isTime = [](const QString& one) { return timePattern().match(one).capturedLength() == one.size(); };
    std::stable_partition(strings.begin(), strings.end(), isTime);
    return strings;
}

// Replaces JSON log lines, also between other lines, by their strings without escapes.
QString withoutEscapes(const QString& text) {
    QStringList lines = stringsOfJson(text).value_or(QStringList());
    if (lines.isEmpty()) {
        for (const QString& line : text.split(u'\n'))
            lines << stringsOfJson(line).value_or(QStringList{line});
    }
    QString plain = lines.join(u'\n');
    for (const char* lineEnd : {"\\r", "\\n", "\r"})
        plain.replace(QLatin1String(lineEnd), QStringLiteral("\n"));
    return plain.replace(QStringLiteral("\\t"), QStringLiteral("\t"));
}

class SubjectReader {
public:
    explicit SubjectReader(QString text) : m_text(std::move(text)) {}

    QList<LookupSubject> read() {
        findHolders(failedUnlock(), LookupOccasion::UnlockFailed);
        findHolders(holderPattern(), LookupOccasion::Mentioned);
        findKeys();
        if (m_subjects.isEmpty())
            findClients();
        return m_subjects;
    }

private:
    static QByteArray unwrapped(QString uuid) {
        static const QRegularExpression blank(QStringLiteral("\\s"));
        return uuid.remove(blank).toLatin1();
    }

    void findHolders(const QRegularExpression& pattern, LookupOccasion occasion) {
        for (auto found = pattern.globalMatch(m_text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const std::optional<HolderId> holder =
                HolderId::parse(unwrapped(match.captured(1)) + ':' + match.captured(2).toLatin1());
            if (holder)
                add({*holder, occasion, timeBefore(match.capturedStart())});
        }
    }

    // If the whole text is one key, the name may contain spaces; elsewhere a space begins the next word.
    void findKeys() {
        const QString whole = m_text.trimmed();
        const QRegularExpressionMatch first = keyPattern().match(whole);
        if (first.capturedStart() == 0 && !whole.contains(u'\n') && !first.captured().contains(QStringLiteral(":{"))) {
            addKey(whole);
            return;
        }
        for (auto found = keyPattern().globalMatch(m_text); found.hasNext();)
            addKey(found.next().captured());
    }

    void addKey(const QString& text) {
        const QByteArray key = text.toUtf8();
        std::optional<LockName> lock = locks::lockOfChannel(key);
        if (!lock)
            lock = locks::lockOfHelperKey(key);
        if (lock)
            add({*lock, LookupOccasion::Mentioned, std::nullopt});
    }

    void findClients() {
        for (auto found = clientPattern().globalMatch(m_text); found.hasNext();)
            add({ClientId(unwrapped(found.next().captured(1))), LookupOccasion::Mentioned, std::nullopt});
    }

    // A failed unlock counts more than a later mention of the same holder; failures at different times are different
    // subjects.
    void add(const LookupSubject& subject) {
        const auto known = [&subject](const LookupSubject& other) {
            return other.whom == subject.whom &&
                   (subject.occasion == LookupOccasion::Mentioned || other.at == subject.at);
        };
        if (m_subjects.size() < mostLookupSubjects && std::none_of(m_subjects.begin(), m_subjects.end(), known))
            m_subjects.append(subject);
    }

    std::optional<WallTime> timeBefore(qsizetype place) const {
        std::optional<WallTime> last;
        const qsizetype from = std::max(place - timeIsNear, qsizetype{0});
        for (auto found = timePattern().globalMatch(m_text, from); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            if (match.capturedStart() >= place)
                break;
            last = timeOf(match);
        }
        return last;
    }

    QString m_text;
    QList<LookupSubject> m_subjects;
};

}  // namespace

LookupText readLookupText(const QString& text) {
    LookupText result;
    result.cut = text.size() > longestLookupText;
    result.subjects = SubjectReader(withoutEscapes(text.left(longestLookupText))).read();
    return result;
}

}  // namespace lockkeeper::monitor
