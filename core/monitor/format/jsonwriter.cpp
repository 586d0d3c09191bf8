// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/jsonwriter.h"

#include "base/exacttext.h"
#include "base/isotime.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool needsNoEscape(char16_t character) {
    return character >= ' ' && character <= '~' && character != '"' && character != '\\';
}

}  // namespace

void JsonWriter::field(const char* name, QStringView text) {
    nextName(name);
    quoted(text);
}

void JsonWriter::field(const char* name, QLatin1String word) {
    nextName(name);
    m_bytes.append('"').append(word.data(), word.size()).append('"');
}

void JsonWriter::field(const char* name, WallTime time) {
    add(name, '"' + isoTimeBytes(time) + '"');
}

void JsonWriter::field(const char* name, const QJsonObject& object) {
    add(name, QJsonDocument(object).toJson(QJsonDocument::Compact));
}

void JsonWriter::bytes(const char* name, const QByteArray& value) {
    if (std::ranges::all_of(value, [](char byte) { return needsNoEscape(static_cast<unsigned char>(byte)); }))
        field(name, QLatin1String(value));
    else if (const std::optional<QString> text = exactText(value))
        field(name, *text);
    else
        field((QByteArray(name) + "_base64").constData(), QLatin1String(value.toBase64()));
}

void JsonWriter::number(qint64 value) {
    separate();
    m_bytes += QByteArray::number(value);
}

void JsonWriter::begin(char bracket) {
    separate();
    m_bytes += bracket;
}

void JsonWriter::beginIn(const char* name, char bracket) {
    nextName(name);
    m_bytes += bracket;
}

void JsonWriter::add(const char* name, QByteArrayView value) {
    nextName(name);
    m_bytes += value;
}

void JsonWriter::nextName(const char* name) {
    separate();
    m_bytes.append('"').append(name).append("\":");
}

void JsonWriter::separate() {
    const char last = m_bytes.isEmpty() ? '{' : m_bytes.back();
    if (last != '{' && last != '[')
        m_bytes += ',';
}

void JsonWriter::quoted(QStringView text) {
    if (!std::ranges::all_of(text, [](QChar character) { return needsNoEscape(character.unicode()); })) {
        // Qt knows how: the string in an array, without its brackets.
        const QByteArray array = QJsonDocument(QJsonArray{text.toString()}).toJson(QJsonDocument::Compact);
        m_bytes += QByteArrayView(array).sliced(1, array.size() - 2);
        return;
    }
    m_bytes.append('"').append(text.toLatin1()).append('"');
}

}  // namespace lockkeeper::monitor
