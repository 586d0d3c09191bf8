// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>
#include <QJsonObject>

#include <concepts>
#include <string>
#include <string_view>

namespace lockkeeper::monitor {

// Writes compact JSON as QJsonDocument does, but without an object in between: events come by the thousand, and a
// QJsonObject for each event takes seven times as many instructions. Fields are in the order of the calls. For the same
// bytes as a QJsonDocument, add them in the order of their names. Thread: any one.
class LOCKKEEPER_MONITOR_EXPORT JsonWriter {
public:
    JsonWriter() { m_bytes.reserve(512); }

    void beginObject() { begin('{'); }
    void beginObject(const char* name) { beginIn(name, '{'); }
    void endObject() { m_bytes += '}'; }
    void beginArray(const char* name) { beginIn(name, '['); }
    void endArray() { m_bytes += ']'; }

    void field(const char* name, QStringView text);
    // word: only letters, digits and signs that need no escape.
    void field(const char* name, QLatin1String word);
    void field(const char* name, WallTime time);
    void field(const char* name, std::same_as<bool> auto yes) { add(name, yes ? "true" : "false"); }
    void field(const char* name, std::same_as<qint64> auto number) { add(name, std::to_string(number)); }
    void field(const char* name, std::same_as<double> auto number) { addDouble(name, number); }
    void field(const char* name, const QJsonObject& object);
    // Adds the bytes as text if exactText() allows it, else as base64 with the name NAME_base64.
    void bytes(const char* name, const QByteArray& value);
    // Adds a number to an array.
    void number(qint64 value);

    [[nodiscard]] QByteArray json() const { return QByteArray::fromStdString(m_bytes); }

private:
    void begin(char bracket);
    void beginIn(const char* name, char bracket);
    void add(const char* name, std::string_view value);
    void addDouble(const char* name, double number);
    void nextName(const char* name);
    void separate();
    void addQuoted(std::string_view text);

    std::string m_bytes;  // appends single characters in a fraction of QByteArray's time
};

}  // namespace lockkeeper::monitor
