// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/settingsparser.h"

#include "base/exacttext.h"
#include "base/safetext.h"
#include "profile/configuration/placeholders.h"
#include "profile/configuration/redissoncause.h"

#include <QRegularExpression>
#include <QSet>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <sstream>
#include <vector>

namespace lockkeeper::profile {

namespace {

constexpr int mostDocuments = 200;
constexpr qsizetype mostMerged = 20'000;  // settings that "<<" copies
constexpr qsizetype mostProperties = 50'000;

Error parseFault(RedissonCause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

// ---- JSON with comments ----

bool isJsonBlank(QChar character) {
    return character == QLatin1Char(' ') || character == QLatin1Char('\t') || character == QLatin1Char('\n');
}

// Where a comment of JSON at this place ends; the place itself if there is none.
qsizetype commentEnd(const QString& text, qsizetype at) {
    const QStringView begin = QStringView(text).mid(at, 2);
    if (begin == QLatin1String("//")) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), at);
        return end < 0 ? text.size() : end;
    }
    if (begin != QLatin1String("/*"))
        return at;
    const qsizetype end = text.indexOf(QLatin1String("*/"), at + 2);
    return end < 0 ? text.size() : end + 2;
}

bool isJson(const QString& text) {
    qsizetype at = 0;
    while (at < text.size()) {
        const qsizetype end = commentEnd(text, at);
        if (end == at && !isJsonBlank(text.at(at)))
            return text.at(at) == QLatin1Char('{') || text.at(at) == QLatin1Char('[');
        at = std::max(end, at + 1);
    }
    return false;
}

// Blanks in place of comments and tabs, so that the lines keep their numbers. Behind a colon, two slashes begin an
// address without a scheme.
QString withoutComments(QString text) {
    QChar quote;
    QChar before = QLatin1Char('{');  // the last character that is not blank
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar character = text.at(at);
        if (!quote.isNull()) {
            if (character == QLatin1Char('\\') && quote == QLatin1Char('"'))
                ++at;
            else if (character == quote)
                quote = QChar();
            continue;
        }
        const bool mayBegin = at == 0 || isJsonBlank(text.at(at - 1)) ||
                              QStringLiteral("{}[],\"'").contains(text.at(at - 1)) ||
                              text.at(at - 1) == QLatin1Char('/');
        const qsizetype end = mayBegin && before != QLatin1Char(':') ? commentEnd(text, at) : at;
        for (qsizetype i = at; i < end; ++i) {
            if (text.at(i) != QLatin1Char('\n'))
                text[i] = QLatin1Char(' ');
        }
        if (end > at) {
            at = end - 1;
            continue;
        }
        if (character == QLatin1Char('\t'))
            text[at] = QLatin1Char(' ');
        const bool beginsText = QStringLiteral("{[,:").contains(before);
        if (beginsText && (character == QLatin1Char('"') || character == QLatin1Char('\'')))
            quote = character;
        if (!isJsonBlank(character))
            before = character;
    }
    return text;
}

// ---- variables ----

// A variable may be anywhere in the text, also where its characters have a meaning in YAML. So the parser gets two
// private-use characters with the variable's number between them.
class HiddenVariables {
public:
    QString hide(const QString& text) {
        QString result;
        qsizetype done = 0;
        for (qsizetype at = text.indexOf(QLatin1String("${")); at >= 0;) {
            const qsizetype end = placeholderEnd(text, at);
            if (end >= 0) {
                result += text.mid(done, at - done) + marked(text.mid(at, end - at));
                done = end;
            }
            at = text.indexOf(QLatin1String("${"), std::max(done, at + 1));
        }
        return withoutMaven(result + text.mid(done));
    }

    QString show(const std::string& text) const {
        static const QRegularExpression place(QStringLiteral("\uE000(\\d{1,9})\uE001"));
        const QString hidden = QString::fromStdString(text);
        if (!hidden.contains(QChar(0xE000)))
            return hidden;
        QString result;
        qsizetype done = 0;
        for (QRegularExpressionMatchIterator places = place.globalMatch(hidden); places.hasNext();) {
            const QRegularExpressionMatch match = places.next();
            result += hidden.mid(done, match.capturedStart() - done) + m_texts.value(match.captured(1).toInt());
            done = match.capturedEnd();
        }
        return result + hidden.mid(done);
    }

private:
    QString marked(const QString& text) {
        m_texts += text;
        return QStringLiteral("\uE000%1\uE001").arg(m_texts.size() - 1);
    }

    // A value @activeProfile@, which Maven replaces, is not allowed in YAML.
    QString withoutMaven(const QString& text) {
        static const QRegularExpression value(
            QStringLiteral("(?<=[:,\\[] |- )@[\\w.\\-]{1,200}@(?=\\s*(?:$|#|[,\\]}]))"),
            QRegularExpression::MultilineOption);
        QString result;
        qsizetype done = 0;
        for (QRegularExpressionMatchIterator values = value.globalMatch(text); values.hasNext();) {
            const QRegularExpressionMatch match = values.next();
            result += text.mid(done, match.capturedStart() - done) + marked(match.captured());
            done = match.capturedEnd();
        }
        return result + text.mid(done);
    }

    QStringList m_texts;
};

// ---- YAML ----

// Makes a value of what the parser of YAML reads. An alias shares the value of its anchor.
class ValueBuilder final : public YAML::EventHandler {
public:
    ValueBuilder(const HiddenVariables& variables, int before, QString file)
        : m_variables(variables), m_before(before), m_file(std::move(file)) {}

    [[nodiscard]] SettingValue take() { return std::exchange(m_root, {}); }
    [[nodiscard]] bool isTooMany() const noexcept { return m_merged > mostMerged; }
    // Of all documents.
    [[nodiscard]] qsizetype count() const noexcept { return m_count; }
    // The line of the last text; zero before the first.
    [[nodiscard]] int lastLine() const noexcept { return m_lastLine; }

    void OnDocumentStart(const YAML::Mark&) override {
        m_open.clear();
        m_anchors.clear();
        m_root = {};
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        SettingValue none;
        none.line = lineOf(mark);
        add(none, anchor);
    }
    void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override {
        const auto known = m_anchors.find(anchor);
        add(known == m_anchors.end() ? SettingValue() : known->second, 0);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        SettingValue text = textValue(m_variables.show(value), lineOf(mark));
        m_lastLine = mark.line + 1;
        text.tag = QString::fromStdString(tag);
        add(text, anchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        begin(SettingValue::Type::List, mark, tag, anchor);
    }
    void OnSequenceEnd() override { end(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        begin(SettingValue::Type::Group, mark, tag, anchor);
    }
    void OnMapEnd() override {
        merge(m_open.back().value.group);
        end();
    }

private:
    struct Open {
        SettingValue value;
        YAML::anchor_t anchor = 0;
        std::optional<SettingValue> name;  // of the setting whose value comes next
    };

    [[nodiscard]] int lineOf(const YAML::Mark& mark) const { return mark.line + 1 + m_before; }

    void begin(SettingValue::Type type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        Open open;
        open.value.type = type;
        open.value.tag = QString::fromStdString(tag);
        open.value.line = lineOf(mark);
        open.anchor = anchor;
        m_open.push_back(open);
    }

    void end() {
        const Open closed = std::move(m_open.back());
        m_open.pop_back();
        add(closed.value, closed.anchor);
    }

    void add(const SettingValue& value, YAML::anchor_t anchor) {
        ++m_count;
        if (anchor != 0)
            m_anchors[anchor] = value;
        if (m_open.empty()) {
            m_root = value;
            return;
        }
        Open& open = m_open.back();
        if (open.value.type == SettingValue::Type::List) {
            open.value.list.append(value);
        } else if (!open.name) {
            open.name = value;
        } else {
            const QString name = open.name->isText() ? open.name->text : QString();
            open.value.group.append({name, comparableName(name), open.name->line, m_file, value});
            open.name.reset();
        }
    }

    // "<<: *alias" gives a group the settings of another one that it does not have itself.
    void merge(SettingGroup& group) {
        const auto isMerge = [](const Setting& one) { return one.name == QLatin1String("<<"); };
        if (std::none_of(group.cbegin(), group.cend(), isMerge))
            return;
        QSet<QString> names;
        SettingGroup added;
        for (const Setting& one : std::as_const(group))
            names += one.key;
        for (const Setting& one : std::as_const(group)) {
            if (!isMerge(one))
                continue;
            const QList<SettingValue> sources = one.value.isGroup() ? QList{one.value} : one.value.list;
            for (const SettingValue& source : sources) {
                for (const Setting& copied : source.group) {
                    if (++m_merged > mostMerged)
                        return;
                    if (!names.contains(copied.key))
                        added += copied;
                    names += copied.key;
                }
            }
        }
        group.removeIf(isMerge);
        group += added;
    }

    const HiddenVariables& m_variables;
    const int m_before;
    const QString m_file;
    SettingValue m_root;
    std::vector<Open> m_open;
    std::map<YAML::anchor_t, SettingValue> m_anchors;
    qsizetype m_merged = 0;
    qsizetype m_count = 0;
    int m_lastLine = 0;
};

// The first line that a tab indents, up to this one; zero if there is none.
int tabbedLine(const QString& text, int last) {
    int number = 0;
    for (const QStringView one : QStringView(text).tokenize(u'\n')) {
        if (++number > last)
            break;
        qsizetype at = 0;
        while (at < one.size() && one.at(at) == u' ')
            ++at;
        if (at < one.size() && one.at(at) == u'\t' && !one.trimmed().isEmpty())
            return number;
    }
    return 0;
}

// The first line from this one on in which a quote is not closed.
int openQuote(const QString& text, int first) {
    int number = 0;
    for (const QStringView one : QStringView(text).tokenize(u'\n')) {
        const bool isOpen = one.count(u'"') % 2 == 1 || one.count(u'\'') % 2 == 1;
        if (++number >= first && isOpen)
            return number;
    }
    return std::max(first, 1);
}

CommentedSettings commentedIn(const QString& text, int before) {
    static const QRegularExpression whole(
        QStringLiteral("^\\s*(?:#|//)+\\s*(?:-\\s+)?[\"']?([\\w.-]{3,60})[\"']?\\s*[:=]"));
    static const QRegularExpression value(QStringLiteral("^\\s*[\"']?([\\w.-]{3,60})[\"']?\\s*:\\s+#"));
    CommentedSettings commented;
    int line = before;
    for (const QStringView one : QStringView(text).tokenize(u'\n')) {
        ++line;
        const QString start = one.left(200).toString();
        if (!start.contains(QLatin1Char('#')) && !start.contains(QLatin1String("//")))
            continue;
        if (const QRegularExpressionMatch match = whole.match(start); match.hasMatch())
            commented.whole.insert(comparableName(match.captured(1).section(QLatin1Char('.'), -1)), line);
        else if (const QRegularExpressionMatch behind = value.match(start); behind.hasMatch())
            commented.values.insert(comparableName(behind.captured(1).section(QLatin1Char('.'), -1)), line);
    }
    return commented;
}

// ---- properties ----

// A line of properties with the lines that continue it, without the backslashes that join them.
struct LogicalLine {
    QString text;
    int line = 0;
};

bool isContinued(QStringView line) {
    qsizetype slashes = 0;
    while (slashes < line.size() && line.at(line.size() - 1 - slashes) == QLatin1Char('\\'))
        ++slashes;
    return slashes % 2 == 1;
}

QList<LogicalLine> logicalLines(const QString& text) {
    QList<LogicalLine> lines;
    bool continues = false;
    int number = 0;
    for (const QStringView one : QStringView(text).tokenize(u'\n')) {
        ++number;
        const QStringView trimmed = one.trimmed();
        const bool isComment = trimmed.startsWith(QLatin1Char('#')) || trimmed.startsWith(QLatin1Char('!'));
        if (!continues)
            lines.append({QString(), number});
        const bool goesOn = isContinued(one) && (continues || !isComment);
        lines.last().text += goesOn ? trimmed.chopped(1) : trimmed;
        continues = goesOn;
    }
    return lines;
}

QString unescaped(QStringView text) {
    QString result;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text.at(at) != QLatin1Char('\\') || at + 1 == text.size()) {
            result += text.at(at);
            continue;
        }
        const QChar next = text.at(++at);
        bool ok = false;
        if (next == QLatin1Char('u')) {
            const ushort code = text.mid(at + 1, 4).toString().toUShort(&ok, 16);
            if (ok && text.size() - at > 4)
                result += QChar(code);
            at += ok ? 4 : 0;
        } else {
            result += next == QLatin1Char('n')   ? QLatin1Char('\n')
                      : next == QLatin1Char('t') ? QLatin1Char('\t')
                      : next == QLatin1Char('r') ? QLatin1Char('\r')
                                                 : next;
        }
    }
    return result;
}

SettingValue emptyGroup() {
    SettingValue group;
    group.type = SettingValue::Type::Group;
    return group;
}

std::optional<Setting> propertyOf(const LogicalLine& line, const QString& file) {
    const QStringView text(line.text);
    qsizetype end = 0;
    while (end < text.size() && !QStringLiteral("=: \t").contains(text.at(end)))
        end += text.at(end) == QLatin1Char('\\') ? 2 : 1;
    end = std::min(end, text.size());
    qsizetype begin = end;
    while (begin < text.size() && (text.at(begin) == QLatin1Char(' ') || text.at(begin) == QLatin1Char('\t')))
        ++begin;
    if (begin < text.size() && (text.at(begin) == QLatin1Char('=') || text.at(begin) == QLatin1Char(':')))
        ++begin;
    const QString name = unescaped(text.left(end));
    if (name.isEmpty())
        return std::nullopt;
    return Setting{name, comparableName(name), line.line, file,
                   textValue(unescaped(text.mid(begin).trimmed()), line.line)};
}

}  // namespace

Result<QString> settingsText(const QByteArray& bytes, Encoding encoding) {
    if (bytes.size() > largestRedissonFile)
        return parseFault(RedissonCause::TooLarge, {QString::number(largestRedissonFile)});
    std::optional<QString> text = decodedUtf8(bytes);
    if (!text && encoding == Encoding::Utf8OrLatin1)
        text = QString::fromLatin1(bytes);
    if (!text)
        return parseFault(RedissonCause::NotText);
    if (text->startsWith(QChar::ByteOrderMark))
        text->remove(0, 1);
    text->replace(QLatin1String("\r\n"), QLatin1String("\n"));
    text->replace(QLatin1Char('\r'), QLatin1Char('\n'));
    return *text;
}

QString lineText(int line, const QString& file) {
    const QString number = QString::number(line);
    return file.isEmpty() ? number : QStringLiteral("%1 (%2)").arg(number, safeText(bounded(file)));
}

Result<ParsedSettings> parseYaml(const QString& text, const QString& file, int before) {
    ParsedSettings parsed;
    parsed.commented = commentedIn(text, before);
    HiddenVariables variables;
    // The parser takes the end of the text for the end of a quote, if it is behind a line feed.
    const QString plain = variables.hide(isJson(text) ? withoutComments(text) : text) + QLatin1String("\n#");
    const int lastLine = static_cast<int>(text.count(QLatin1Char('\n')));  // from 0
    ValueBuilder builder(variables, before, file);
    try {
        std::istringstream stream(plain.toStdString());
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
            if (parsed.documents.size() == mostDocuments)
                return parseFault(RedissonCause::TooManyDocuments, {QString::number(mostDocuments)});
            const SettingValue document = builder.take();
            if (!document.isNone())
                parsed.documents += document;
        }
    } catch (const YAML::DeepRecursion& exception) {
        return parseFault(RedissonCause::TooDeep, {lineText(exception.mark.line + 1 + before, file)});
    } catch (const YAML::Exception& exception) {
        if (const int tabbed = isJson(text) ? 0 : tabbedLine(text, exception.mark.line + 1); tabbed > 0)
            return parseFault(RedissonCause::TabIndent, {lineText(tabbed + before, file)});
        if (exception.msg == YAML::ErrorMsg::EOF_IN_SCALAR)
            return parseFault(RedissonCause::OpenQuote, {lineText(openQuote(text, builder.lastLine()) + before, file)});
        // The text after a colon may quote the file, which may contain a password.
        const QString reason = QString::fromStdString(exception.msg).section(QLatin1Char(':'), 0, 0);
        return parseFault(RedissonCause::Syntax,
                          {lineText(std::min(exception.mark.line, lastLine) + 1 + before, file), reason});
    }
    parsed.count = builder.count();
    if (builder.isTooMany())
        return parseFault(RedissonCause::TooManySettings, {QString::number(mostMerged)});
    return parsed;
}

Result<ParsedSettings> parseProperties(const QString& text, const QString& file) {
    static const QRegularExpression separator(QStringLiteral("^[#!]---\\s*$"));
    ParsedSettings parsed;
    parsed.commented = commentedIn(text, 0);
    SettingValue document = emptyGroup();
    qsizetype count = 0;
    for (const LogicalLine& line : logicalLines(text)) {
        const bool isComment = line.text.startsWith(QLatin1Char('#')) || line.text.startsWith(QLatin1Char('!'));
        if (isComment) {
            const bool ends = separator.match(line.text).hasMatch() && !document.group.isEmpty();
            if (ends && parsed.documents.size() + 1 == mostDocuments)
                return parseFault(RedissonCause::TooManyDocuments, {QString::number(mostDocuments)});
            if (ends)
                parsed.documents += std::exchange(document, emptyGroup());
            continue;
        }
        const std::optional<Setting> property = propertyOf(line, file);
        if (property && ++count > mostProperties)
            return parseFault(RedissonCause::TooManySettings, {QString::number(mostProperties)});
        if (property)
            document.group += *property;
    }
    if (!document.group.isEmpty())
        parsed.documents += document;
    parsed.count = count;
    return parsed;
}

}  // namespace lockkeeper::profile
