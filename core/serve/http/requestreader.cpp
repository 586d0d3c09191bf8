// SPDX-License-Identifier: Apache-2.0
#include "serve/http/requestreader.h"

#include <algorithm>

namespace lockkeeper::serve {

namespace {

bool isTokenCharacter(char c) {
    const bool isLetterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return isLetterOrDigit || QByteArrayView("!#$%&'*+-.^_`|~").contains(c);
}

bool isToken(QByteArrayView text) {
    return !text.isEmpty() && std::ranges::all_of(text, isTokenCharacter);
}

// Printable ASCII.
bool isVisible(char c) {
    return c > ' ' && c < '\x7f';
}

// Of a header's value: text of any encoding, without control characters.
bool isOfValue(char c) {
    return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
}

QByteArrayView withoutBlanks(QByteArrayView text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.isEmpty() && isBlank(text.front()))
        text = text.sliced(1);
    while (!text.isEmpty() && isBlank(text.back()))
        text.chop(1);
    return text;
}

}  // namespace

RequestReader::State RequestReader::refuse(HttpStatus why) {
    m_refusal = why;
    m_head.clear();
    return m_state = State::Refused;
}

RequestReader::State RequestReader::add(QByteArrayView bytes) {
    if (m_state != State::Incomplete)
        return m_state;
    constexpr QByteArrayView end("\r\n\r\n");
    const qsizetype from = std::max<qsizetype>(0, m_head.size() - end.size());
    m_head += bytes.first(std::min(bytes.size(), m_most + end.size() - m_head.size()));
    const qsizetype length = m_head.indexOf(end, from);
    if (length < 0 && m_head.size() > m_most)
        return refuse(HttpStatus::HeadTooLarge);
    if (length > m_most)
        return refuse(HttpStatus::HeadTooLarge);
    return length < 0 ? m_state : readHead(QByteArrayView(m_head).first(length));
}

RequestReader::State RequestReader::readHead(QByteArrayView head) {
    constexpr QByteArrayView lineEnd("\r\n");
    bool isFirst = true;
    while (true) {
        const qsizetype end = head.indexOf(lineEnd);
        const QByteArrayView line = end < 0 ? head : head.first(end);
        const std::optional<HttpStatus> refusal = isFirst ? readRequestLine(line) : readHeader(line);
        if (refusal)
            return refuse(*refusal);
        isFirst = false;
        if (end < 0)
            break;
        head = head.sliced(end + lineEnd.size());
    }
    if (const std::optional<HttpStatus> refusal = checkHeaders())
        return refuse(*refusal);
    m_head.clear();
    return m_state = State::Complete;
}

std::optional<HttpStatus> RequestReader::readRequestLine(QByteArrayView line) {
    const qsizetype first = line.indexOf(' ');
    const qsizetype last = line.lastIndexOf(' ');
    if (first < 0 || first == last)
        return HttpStatus::BadRequest;
    const QByteArrayView method = line.first(first);
    const QByteArrayView target = line.sliced(first + 1, last - first - 1);
    const QByteArrayView version = line.sliced(last + 1);
    const bool isTarget = !target.isEmpty() && target.front() == '/' && std::ranges::all_of(target, isVisible);
    if (!isToken(method) || !version.startsWith("HTTP/"))
        return HttpStatus::BadRequest;
    if (version != QByteArrayView("HTTP/1.1") && version != QByteArrayView("HTTP/1.0"))
        return HttpStatus::VersionNotSupported;
    if (method != QByteArrayView("GET") && method != QByteArrayView("HEAD"))
        return HttpStatus::MethodNotAllowed;
    if (!isTarget)
        return HttpStatus::BadRequest;
    m_isOlder = version.endsWith('0');
    m_request.method = method == QByteArrayView("GET") ? HttpRequest::Method::Get : HttpRequest::Method::Head;
    const qsizetype query = target.indexOf('?');
    m_request.path = (query < 0 ? target : target.first(query)).toByteArray();
    return std::nullopt;
}

std::optional<HttpStatus> RequestReader::readHeader(QByteArrayView line) {
    const qsizetype colon = line.indexOf(':');
    if (colon < 0 || !isToken(line.first(colon)))  // also a line that continues the one before
        return HttpStatus::BadRequest;
    const QByteArrayView value = withoutBlanks(line.sliced(colon + 1));
    if (!std::ranges::all_of(value, isOfValue))
        return HttpStatus::BadRequest;
    if (m_request.headers.size() >= static_cast<size_t>(mostHeaders))
        return HttpStatus::HeadTooLarge;
    m_request.headers.emplace_back(line.first(colon).toByteArray().toLower(), value.toByteArray());
    return std::nullopt;
}

std::optional<HttpStatus> RequestReader::checkHeaders() const {
    const auto count = [this](QByteArrayView name) {
        return std::ranges::count_if(m_request.headers, [name](const auto& header) { return header.first == name; });
    };
    if (count("host") > 1 || (count("host") == 0 && !m_isOlder) || count("authorization") > 1)
        return HttpStatus::BadRequest;
    const bool hasBody = count("content-length") > 0 && m_request.header("content-length") != "0";
    if (hasBody || count("content-length") > 1 || count("transfer-encoding") > 0)
        return HttpStatus::ContentTooLarge;
    return std::nullopt;
}

}  // namespace lockkeeper::serve
