// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/redissonfile.h"

#include "base/safetext.h"

#include <algorithm>
#include <array>

namespace lockkeeper::profile {

namespace {

constexpr auto redissonForm = Placeholders::Form::Redisson;
constexpr qsizetype mostNames = 20;  // in a note

// Parts of the comparable names of settings that concern locks or the connection. What else there is, sizes of pools
// and pauses between attempts, is the Java client's own.
constexpr std::array concerning{QLatin1String("lock"),     QLatin1String("ssl"),    QLatin1String("tls"),
                                QLatin1String("password"), QLatin1String("user"),   QLatin1String("credential"),
                                QLatin1String("mapper"),   QLatin1String("natmap"), QLatin1String("keyspace"),
                                QLatin1String("resolver"), QLatin1String("master"), QLatin1String("address"),
                                QLatin1String("nodes"),    QLatin1String("host"),   QLatin1String("database")};
// Settings that have such a part, and change nothing of either.
constexpr std::array otherwise{QLatin1String("masterconnectionpoolsize"),
                               QLatin1String("masterconnectionminimumidlesize"),
                               QLatin1String("lockwatchdogbatchsize"),
                               QLatin1String("addressresolvergroupfactory"),
                               QLatin1String("sslprovider"),
                               QLatin1String("sslciphers"),
                               QLatin1String("readmode"),
                               QLatin1String("blockingtimeout"),
                               QLatin1String("failedslavenodedetector"),
                               QLatin1String("usemasterforreads")};

// Where words of the name begin, as places in its comparable name: useClassLoader has three.
QSet<qsizetype> wordBegins(const QString& name) {
    QSet<qsizetype> begins;
    qsizetype at = 0;
    QChar before = QLatin1Char('-');
    for (const QChar character : name) {
        const bool isSeparator = character == QLatin1Char('-') || character == QLatin1Char('_');
        if (!isSeparator && (!before.isLetterOrNumber() || (character.isUpper() && !before.isUpper())))
            begins += at;
        at += isSeparator ? 0 : 1;
        before = character;
    }
    return begins;
}

// A name without capitals and dashes may have a part anywhere; in others a part begins a word: useClassLoader is not
// about SSL.
bool hasPart(const Setting& setting, QLatin1String part) {
    const QSet<qsizetype> begins = wordBegins(setting.name);
    const bool isOneWord = begins.size() < 2;
    for (qsizetype at = setting.key.indexOf(part); at >= 0; at = setting.key.indexOf(part, at + 1)) {
        if (isOneWord || begins.contains(at))
            return true;
    }
    return false;
}

bool concerns(const Setting& setting) {
    return std::ranges::any_of(concerning, [&setting](QLatin1String part) { return hasPart(setting, part); }) &&
           std::ranges::find(otherwise, setting.key) == otherwise.end();
}

}  // namespace

QString shownName(const Setting& setting) {
    return safeText(bounded(setting.name));
}

QString placeOf(const Setting& setting) {
    return lineText(setting.line, setting.file);
}

RedissonFile::RedissonFile(const SettingValue& root, CommentedSettings commented, Placeholders& variables)
    : m_variables(&variables), m_commented(std::move(commented)) {
    m_root = onceEach(root.group);
}

void RedissonFile::beginGroup(const Setting& group) {
    m_group = groupOf(group);
}

// ---- settings ----

QString RedissonFile::valueOf(const QString& text) {
    return m_variables->resolved(text, redissonForm);
}

QString RedissonFile::valueOf(const Setting& setting) {
    if (!setting.value.isText()) {
        faultAt(setting, RedissonCause::NoValue);
        return {};
    }
    return setting.value.isFinal ? setting.value.text : valueOf(setting.value.text);
}

SettingGroup RedissonFile::groupOf(const Setting& setting) {
    if (setting.value.isGroup())
        return onceEach(setting.value.group);
    faultAt(setting, RedissonCause::NoGroup);
    return {};
}

SettingGroup RedissonFile::onceEach(const SettingGroup& group) {
    SettingGroup once;
    QHash<QString, qsizetype> places;
    for (const Setting& setting : group) {
        const auto known = places.constFind(setting.key);
        if (known == places.cend()) {
            places.insert(setting.key, once.size());
            once += setting;
            continue;
        }
        once[*known] = setting;
        if (m_repeated.size() < mostNames && !m_repeated.contains(shownName(setting)))
            m_repeated += shownName(setting);
    }
    return once;
}

const Setting* RedissonFile::use(QLatin1String name) {
    markUsed(name);
    const Setting* own = settingOf(m_group, name);
    return own ? own : settingOf(m_root, name);
}

QString RedissonFile::textOf(QLatin1String name) {
    const Setting* setting = use(name);
    return setting ? valueOf(*setting) : QString();
}

QStringList RedissonFile::listOf(QLatin1String name) {
    const Setting* setting = use(name);
    if (!setting)
        return {};
    QStringList texts;
    const auto add = [&texts](const QString& text) {
        for (const QString& one : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            if (!one.trimmed().isEmpty() && texts.size() <= mostAddresses)
                texts += one.trimmed();
        }
    };
    const auto checked = [this, &texts, setting] {
        if (texts.size() > mostAddresses)
            faultAt(*setting, RedissonCause::TooManyAddresses, {QString::number(mostAddresses)});
        return texts;
    };
    if (setting->value.isText()) {
        add(valueOf(*setting));
        return checked();
    }
    if (setting->value.type != SettingValue::Type::List) {
        faultAt(*setting, RedissonCause::NoList);
        return texts;
    }
    for (const SettingValue& item : setting->value.list) {
        if (texts.size() <= mostAddresses)
            add(valueOf({setting->name, setting->key, item.line, setting->file, item}));
    }
    return checked();
}

QStringList RedissonFile::unused() const {
    QStringList names;
    for (const SettingGroup* group : {&m_root, &m_group}) {
        for (const Setting& setting : *group) {
            const bool isLeft = !setting.value.isNone() && !m_used.contains(setting.key) && !setting.value.isUsual();
            if (isLeft && concerns(setting) && names.size() < mostNames && !names.contains(shownName(setting)))
                names += shownName(setting);
        }
    }
    return names;
}

QStringList RedissonFile::emptied() const {
    QStringList names;
    for (const SettingGroup* group : {&m_root, &m_group}) {
        for (const Setting& setting : *group) {
            const auto line = m_commented.values.constFind(setting.key);
            if (setting.value.isNone() && m_used.contains(setting.key) && line != m_commented.values.cend() &&
                *line == setting.line)
                names += shownName(setting);
        }
    }
    return names;
}

// ---- faults ----

void RedissonFile::fault(RedissonCause cause, const QStringList& arguments) {
    if (!m_fault)
        m_fault = Error(ErrorCode::InvalidArgument, cause, arguments);
}

void RedissonFile::faultAt(const Setting& setting, RedissonCause cause, const QStringList& others) {
    fault(cause, QStringList{placeOf(setting), shownName(setting)} + others);
}

void RedissonFile::faultMissing(const Setting& group, QLatin1String name) {
    const QString key = comparableName(name);
    const int line = m_commented.whole.value(key, m_commented.values.value(key));
    Setting missing = group;
    if (line > 0)
        missing.line = line;
    fault(line > 0 ? RedissonCause::CommentedOut : RedissonCause::Missing, {placeOf(missing), name});
}

void RedissonFile::faultNoServers(const QStringList& names) {
    for (const QString& name : names) {
        const QString key = comparableName(name);
        const int line = m_commented.whole.value(key, m_commented.values.value(key));
        if (line > 0)
            return fault(RedissonCause::CommentedOut, {QString::number(line), name});
    }
    fault(RedissonCause::NoServers, {});
}

std::optional<Error> variablesError(const Placeholders& variables) {
    if (variables.isTooMuch())
        return Error(ErrorCode::InvalidArgument, RedissonCause::TooMuchText, {QString::number(Placeholders::most)});
    if (!variables.cyclic().isEmpty())
        return Error(ErrorCode::InvalidArgument, RedissonCause::Cyclic, variables.cyclic());
    if (!variables.missing().isEmpty())
        return Error(ErrorCode::InvalidArgument, RedissonCause::Variables, variables.missing());
    return std::nullopt;
}

std::optional<Error> RedissonFile::error() const {
    const std::optional<Error> ofVariables = variablesError(*m_variables);
    return ofVariables ? ofVariables : m_fault;
}

}  // namespace lockkeeper::profile
