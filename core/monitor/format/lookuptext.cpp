// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/lookuptext.h"

#include "base/isotime.h"
#include "monitor/analyse/explain/idsintext.h"
#include "monitor/analyse/explain/plainline.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// The time of a log entry is before its message, in the same line or a few lines above.
constexpr qsizetype timeIsNear = 2000;  // characters

// Inside braces a name may contain spaces; elsewhere it ends with the word.
const QRegularExpression& keyPattern() {
    static const QRegularExpression pattern(
        QStringLiteral("^redisson_(?:lock__channel|rwlock|lock_queue|lock_timeout|lock_token|unlock_latch):(?!\\{)"));
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

// A blog or a mail may have replaced hyphens and quotes.
QString withoutTypography(const QString& text) {
    QStringList lines;
    for (const QString& line : text.split(u'\n'))
        lines << QString::fromStdString(plainLine(line.toStdString()));
    return lines.join(u'\n');
}

class SubjectReader {
public:
    explicit SubjectReader(QString text) : m_text(std::move(text)) {}

    QList<LookupSubject> read() {
        findHolders(failedUnlockPattern(), LookupOccasion::UnlockFailed);
        findHolders(holderPattern(), LookupOccasion::Mentioned);
        findKeys();
        if (m_subjects.isEmpty())
            findClients();
        return m_subjects;
    }

private:
    void findHolders(const QRegularExpression& pattern, LookupOccasion occasion) {
        for (auto found = pattern.globalMatch(m_text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            if (const std::optional<HolderId> holder = holderIn(match))
                add({*holder, occasion, timeBefore(match.capturedStart())});
        }
    }

    // If the whole text is one key, the name may contain spaces; elsewhere a space begins the next word.
    void findKeys() {
        const QString whole = m_text.trimmed();
        const bool isOneWord = !whole.contains(u'\n') && !whole.contains(QLatin1String(", "));
        if (isOneWord && keyPattern().match(whole).hasMatch())
            return addLock(lockOfKey(whole));
        for (const LockKeyInText& key : lockKeysIn(m_text))
            addLock(key.lock);
    }

    void addLock(const std::optional<LockName>& lock) {
        if (lock)
            add({*lock, LookupOccasion::Mentioned, std::nullopt});
    }

    void findClients() {
        for (auto found = clientPattern().globalMatch(m_text); found.hasNext();)
            add({ClientId(unwrappedId(found.next().captured(1))), LookupOccasion::Mentioned, std::nullopt});
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
    result.subjects = SubjectReader(withoutTypography(withoutEscapes(text.left(longestLookupText)))).read();
    return result;
}

}  // namespace lockkeeper::monitor
