// SPDX-License-Identifier: Apache-2.0
#include "profile/redissonfile.h"

#include "base/exacttext.h"
#include "base/safetext.h"
#include "profile/redissoncause.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::profile {

namespace {

Error wrong(RedissonCause cause, const QStringList& arguments = {}) {
    return Error(ErrorCode::InvalidArgument, cause, arguments);
}

int lineOf(const YAML::Node& node) {
    return node.Mark().line + 1;
}

// The class of a value: the tag in YAML, and an entry in JSON.
QString classOf(const YAML::Node& node) {
    if (node.IsMap()) {
        for (const auto& entry : node) {
            if (entry.first.IsScalar() && entry.first.Scalar() == "class" && entry.second.IsScalar())
                return QString::fromStdString(entry.second.Scalar());
        }
    }
    return QString::fromStdString(node.Tag());
}

}  // namespace

bool RedissonSetting::isUsual() const {
    return classOf(value).section(QLatin1Char('.'), -1).startsWith(QLatin1String("Default"));
}

const RedissonSetting* settingOf(const RedissonGroup& group, QLatin1String name) {
    const auto found = std::ranges::find(group, name, &RedissonSetting::name);
    return found == group.end() || found->value.IsNull() ? nullptr : &*found;
}

Result<RedissonFile> RedissonFile::parse(const QByteArray& bytes, const RedissonVariables& variables) {
    if (bytes.size() > largestRedissonFile)
        return wrong(RedissonCause::TooLarge, {QString::number(largestRedissonFile)});
    const std::optional<QString> text = decodedUtf8(bytes);
    if (!text)
        return wrong(RedissonCause::NotText);
    RedissonFile file(variables);
    try {
        const YAML::Node root = YAML::Load(file.withoutVariables(*text).toStdString());
        if (!root.IsMap())
            return wrong(RedissonCause::NoServers);
        file.m_root = file.groupOf({QString(), lineOf(root), root});
    } catch (const YAML::Exception& exception) {
        // The text after a colon may quote the file, which may contain a password.
        const QString reason = QString::fromStdString(exception.msg).section(QLatin1Char(':'), 0, 0);
        return wrong(RedissonCause::Syntax, {QString::number(exception.mark.line + 1), reason});
    }
    return file;
}

// ---- variables ----

// A variable may be anywhere in the text, also where its characters have a meaning in YAML. So the parser gets two
// private-use characters with the variable's number between them.
QString RedissonFile::withoutVariables(const QString& file) {
    static const QRegularExpression variable(QStringLiteral("\\$\\{([\\w.]+)(:-?([^}\\n]*))?\\}"));
    QString result;
    qsizetype done = 0;
    QRegularExpressionMatchIterator matches = variable.globalMatch(file);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        result +=
            file.mid(done, match.capturedStart() - done) + QStringLiteral("\uE000%1\uE001").arg(m_variables.size());
        m_variables += {match.captured(1), match.hasCaptured(2) ? std::optional(match.captured(3)) : std::nullopt};
        done = match.capturedEnd();
    }
    result += file.mid(done);
    return result;
}

QString RedissonFile::resolved(const std::string& text) {
    static const QRegularExpression place(QStringLiteral("\uE000(\\d+)\uE001"));
    const QString raw = QString::fromStdString(text);
    if (!raw.contains(QChar(0xE000)))
        return raw;
    QString result;
    qsizetype done = 0;
    QRegularExpressionMatchIterator places = place.globalMatch(raw);
    while (places.hasNext()) {
        const QRegularExpressionMatch match = places.next();
        const Variable variable = m_variables.value(match.captured(1).toInt());
        std::optional<QString> value = (*m_values)(variable.name);
        if (!value)
            value = variable.usual;
        if (!value && !m_missing.contains(variable.name))
            m_missing += variable.name;
        result += raw.mid(done, match.capturedStart() - done) + value.value_or(QString());
        done = match.capturedEnd();
    }
    return result + raw.mid(done);
}

// ---- settings ----

QString RedissonFile::valueOf(const RedissonSetting& setting) {
    if (!setting.value.IsScalar()) {
        faultAt(setting, RedissonCause::NoValue);
        return {};
    }
    return resolved(setting.value.Scalar());
}

RedissonGroup RedissonFile::groupOf(const RedissonSetting& setting) {
    RedissonGroup group;
    QSet<QString> names;
    if (!setting.value.IsMap()) {
        faultAt(setting, RedissonCause::NoGroup);
        return group;
    }
    for (const auto& entry : setting.value) {
        const QString name = entry.first.IsScalar() ? resolved(entry.first.Scalar()) : QString();
        const RedissonSetting one{safeText(bounded(name)), lineOf(entry.first), entry.second};
        if (names.contains(name))
            faultAt(one, RedissonCause::Twice);
        names += name;
        group += one;
    }
    return group;
}

const RedissonSetting* RedissonFile::use(QLatin1String name) {
    m_used += name;
    const RedissonSetting* own = settingOf(m_group, name);
    return own ? own : settingOf(m_root, name);
}

QString RedissonFile::textOf(QLatin1String name) {
    const RedissonSetting* setting = use(name);
    return setting ? valueOf(*setting) : QString();
}

QStringList RedissonFile::listOf(QLatin1String name) {
    const RedissonSetting* setting = use(name);
    QStringList texts;
    if (!setting)
        return texts;
    if (setting->value.IsScalar())
        return {valueOf(*setting)};
    if (!setting->value.IsSequence()) {
        faultAt(*setting, RedissonCause::NoList);
        return texts;
    }
    for (const YAML::Node& item : setting->value)
        texts += valueOf({setting->name, lineOf(item), item});
    return texts;
}

QStringList RedissonFile::unused() const {
    QStringList names;
    for (const RedissonGroup* group : {&m_root, &m_group}) {
        for (const RedissonSetting& setting : *group) {
            if (!setting.value.IsNull() && !m_used.contains(setting.name) && !setting.isUsual())
                names += setting.name;
        }
    }
    return names;
}

// ---- faults ----

void RedissonFile::fault(RedissonCause cause, const QStringList& arguments) {
    if (!m_fault)
        m_fault = wrong(cause, arguments);
}

void RedissonFile::faultAt(const RedissonSetting& setting, RedissonCause cause) {
    fault(cause, {QString::number(setting.line), setting.name});
}

std::optional<Error> RedissonFile::error() const {
    return m_missing.isEmpty() ? m_fault : wrong(RedissonCause::Variables, m_missing);
}

}  // namespace lockkeeper::profile
