// SPDX-License-Identifier: Apache-2.0
#include "serve/servicelog.h"

#include "base/isotime.h"
#include "base/safetext.h"
#include "monitor/format/jsonwriter.h"

#include <algorithm>

namespace lockkeeper::serve {

namespace {

// The priorities of syslog, as sd-daemon(3) has them.
QByteArray journalPrefix(LogLevel level) {
    switch (level) {
        case LogLevel::Debug:
            return QByteArrayLiteral("<7>");
        case LogLevel::Info:
            return QByteArrayLiteral("<6>");
        case LogLevel::Warning:
            return QByteArrayLiteral("<4>");
        case LogLevel::Error:
            return QByteArrayLiteral("<3>");
    }
    return {};
}

bool needsNoQuotes(const QString& value) {
    return !value.isEmpty() && std::ranges::all_of(value, [](QChar character) {
        return character > u' ' && character <= u'~' && character != u'"' && character != u'=' && character != u'\\';
    });
}

QByteArray logfmtValue(const QString& value) {
    if (needsNoQuotes(value))
        return value.toLatin1();
    QString quoted = value;
    quoted.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return '"' + quoted.toUtf8() + '"';
}

}  // namespace

QString wordFor(LogLevel level) {
    switch (level) {
        case LogLevel::Debug:
            return QStringLiteral("debug");
        case LogLevel::Info:
            return QStringLiteral("info");
        case LogLevel::Warning:
            return QStringLiteral("warning");
        case LogLevel::Error:
            return QStringLiteral("error");
    }
    return {};
}

QString wordFor(LogForm form) {
    switch (form) {
        case LogForm::Logfmt:
            return QStringLiteral("logfmt");
        case LogForm::Json:
            return QStringLiteral("json");
    }
    return {};
}

ServiceLog::ServiceLog(Form form, Clock& clock, Write write)
    : m_form(form), m_clock(clock), m_write(std::move(write)) {}

void ServiceLog::write(LogLevel level, const char* event, const std::vector<LogField>& fields) const {
    if (level < m_form.least)
        return;
    std::vector<LogField> all;
    if (m_form.receiver == LogReceiver::Terminal)
        all.push_back({"time", isoTime(m_clock.wallNow())});
    all.push_back({"level", wordFor(level)});
    all.push_back({"event", QString::fromLatin1(event)});
    for (const LogField& field : fields)
        all.push_back({field.name, bounded(safeText(field.value))});
    QByteArray line = m_form.receiver == LogReceiver::Journal ? journalPrefix(level) : QByteArray();
    if (m_form.form == LogForm::Json) {
        monitor::JsonWriter json;
        json.beginObject();
        for (const LogField& field : all)
            json.field(field.name, field.value);
        json.endObject();
        line += json.json();
    } else {
        QByteArrayList words;
        for (const LogField& field : all)
            words << QByteArray(field.name) + '=' + logfmtValue(field.value);
        line += words.join(' ');
    }
    m_write(line + '\n');
}

}  // namespace lockkeeper::serve
