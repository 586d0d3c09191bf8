// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/jsonwriter.h"

#include "base/exacttext.h"
#include "base/isotime.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

bool needsNoEscape(char16_t character) {
    return character >= ' ' && character <= '~' && character != '"' && character != '\\';
}

}  // namespace

void JsonWriter::field(const char* name, QStringView text) {
    if (std::ranges::all_of(text, [](QChar character) { return needsNoEscape(character.unicode()); })) {
        field(name, QLatin1String(text.toLatin1()));
        return;
    }
    // Qt escapes the text: as an array, whose brackets are removed.
    const QByteArray array = QJsonDocument(QJsonArray{text.toString()}).toJson(QJsonDocument::Compact);
    add(name, std::string_view(array).substr(1, static_cast<size_t>(array.size()) - 2));
}

void JsonWriter::field(const char* name, QLatin1String word) {
    nextName(name);
    addQuoted({word.data(), static_cast<size_t>(word.size())});
}

void JsonWriter::field(const char* name, WallTime time) {
    field(name, QLatin1String(isoTimeBytes(time)));
}

void JsonWriter::field(const char* name, const QJsonObject& object) {
    add(name, std::string_view(QJsonDocument(object).toJson(QJsonDocument::Compact)));
}

void JsonWriter::bytes(const char* name, const QByteArray& value) {
    if (std::ranges::all_of(value, [](char byte) { return needsNoEscape(static_cast<unsigned char>(byte)); }))
        field(name, QLatin1String(value));
    else if (const std::optional<QString> text = exactText(value))
        field(name, *text);
    else
        field((QByteArray(name) + "_base64").constData(), QLatin1String(value.toBase64()));
}

void JsonWriter::addDouble(const char* name, double number) {
    add(name, std::string_view(QByteArray::number(number, 'g', QLocale::FloatingPointShortest)));
}

void JsonWriter::number(qint64 value) {
    separate();
    m_bytes += std::to_string(value);
}

void JsonWriter::begin(char bracket) {
    separate();
    m_bytes += bracket;
}

void JsonWriter::beginIn(const char* name, char bracket) {
    nextName(name);
    m_bytes += bracket;
}

void JsonWriter::add(const char* name, std::string_view value) {
    nextName(name);
    m_bytes += value;
}

void JsonWriter::nextName(const char* name) {
    separate();
    addQuoted(name);
    m_bytes += ':';
}

void JsonWriter::separate() {
    const char last = m_bytes.empty() ? '{' : m_bytes.back();
    if (last != '{' && last != '[')
        m_bytes += ',';
}

void JsonWriter::addQuoted(std::string_view text) {
    m_bytes += '"';
    m_bytes += text;
    m_bytes += '"';
}

}  // namespace lockkeeper::monitor
