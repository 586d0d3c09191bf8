// SPDX-License-Identifier: Apache-2.0
#include "app/tools/lookups.h"

#include "app/tools/savedprofile.h"
#include "lab/experiment/catalogue.h"
#include "profile/configuration/configuration.h"

#include <QRandomGenerator>
#include <QRegularExpression>

#include <memory>

namespace lockkeeper::app {

namespace {

Result<profile::StoredProfile> profileNamed(const QString& name) {
    profile::ProfileStore profiles(profilesPath());
    return savedProfile(profiles, name);
}

// Texts in place of the values of variables, each of the same kind as the value, so that it can be read in its place.
// None of them is in the files or may be guessed by their author, so that what has one of them in it is of a variable.
class StandIns {
public:
    StandIns(const profile::ConfigurationFiles& files, QHash<QString, QString>* variables)
        : m_variables(variables), m_mark(QString::number(QRandomGenerator::system()->generate64(), 36)) {
        for (const profile::ConfigurationFile& file : files.files)
            m_content += file.bytes + '\n';
    }

    QString standInFor(const QString& name, const QString& value) {
        static const QRegularExpression digits(QStringLiteral("^\\s*\\d+\\s*$"));
        static const QRegularExpression address(
            QStringLiteral("^\\s*((?:redis|rediss|valkey|valkeys|redis\\+uds)://)?(?:[^,/]*?(:)?[^,:/]*@)?"
                           "(?:\\[[^\\]]*\\]|[^,:@/]*)(:\\d+|,)?"));
        static const QStringList switches{QStringLiteral("true"), QStringLiteral("false"), QStringLiteral("on"),
                                          QStringLiteral("off"),  QStringLiteral("yes"),   QStringLiteral("no")};
        if (switches.contains(value.trimmed().toLower()))
            return value;
        if (digits.match(value).hasMatch())
            return known(nextNumber(), name);
        const QRegularExpressionMatch parts = address.match(value);
        const QString scheme = parts.captured(1);
        const QString host = nextText();
        if (scheme == QLatin1String("redis+uds://"))
            return scheme + QLatin1Char('/') + known(host, name);
        const QString password =
            scheme.isEmpty() || parts.capturedLength(2) == 0 ? QString() : QStringLiteral(":%1@").arg(host);
        // Several addresses, or one with its port, are one text with a port of its own, so that no other port is shown.
        const bool hasPort = parts.capturedLength(3) > 0;
        return scheme + password + known(hasPort ? host + QLatin1Char(':') + nextNumber() : host, name);
    }

private:
    QString known(const QString& text, const QString& name) {
        m_variables->insert(text, name);
        return text;
    }

    QString nextText() { return QStringLiteral("lk%1n%2z").arg(m_mark).arg(++m_count); }

    // A port, too. As seconds it may be in the file with a dot.
    QString nextNumber() {
        constexpr int last = 65'000;
        while (m_number < last) {
            const QByteArray text = QByteArray::number(++m_number);
            if (!m_content.contains(text) && !m_content.contains(QByteArray(text).insert(2, '.')))
                break;
        }
        return QString::number(m_number);
    }

    QHash<QString, QString>* m_variables;
    QString m_mark;
    QByteArray m_content;
    int m_count = 0;
    int m_number = 61'000;
};

Result<profile::RedissonConnection> redissonFile(const ConfigurationRequest& request) {
    const Result<profile::ConfigurationFiles> files = profile::openConfiguration(request.path);
    if (!files)
        return files.error();
    profile::ConfigurationChoice choice{request.springProfile, {}};
    if (request.takesEnvironment && !request.standIns)
        choice.variables = profile::environmentVariable;
    if (request.takesEnvironment && request.standIns) {
        choice.variables = [standIns = std::make_shared<StandIns>(*files, request.standIns)](const QString& name) {
            const std::optional<QString> value = profile::environmentVariable(name);
            return !value || value->isEmpty() ? value : std::optional(standIns->standInFor(name, *value));
        };
    }
    return profile::connectionOf(*files, choice);
}

bool isExperiment(const QByteArray& id) {
    return lab::experimentOf(id).has_value();
}

}  // namespace

Lookups allLookups() {
    return {&profileNamed, &redissonFile, &isExperiment,
            [](const QString& name) { return qEnvironmentVariable(name.toLatin1().constData()); }};
}

}  // namespace lockkeeper::app
