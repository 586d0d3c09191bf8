// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/http/httpmessage.h"

#include <optional>

namespace lockkeeper::serve {

// Reads the head of one request, byte by byte as it comes. It takes GET and HEAD of HTTP/1.0 and 1.1 without a body,
// strictly as RFC 9112 has them: what others read differently is refused, not guessed. A value.
class RequestReader {
public:
    static constexpr qsizetype mostHeaders = 64;

    // most: bytes of the head.
    explicit RequestReader(qsizetype most) : m_most(most) {}

    enum class State { Incomplete, Complete, Refused };
    // Bytes behind the head are dropped. After the end, further bytes change nothing.
    State add(QByteArrayView bytes);

    [[nodiscard]] State state() const noexcept { return m_state; }
    // Whether anything has come.
    [[nodiscard]] bool hasBegun() const { return m_state != State::Incomplete || !m_head.isEmpty(); }
    [[nodiscard]] const HttpRequest& request() const noexcept { return m_request; }  // if Complete
    [[nodiscard]] HttpStatus refusal() const noexcept { return m_refusal; }          // if Refused

private:
    State refuse(HttpStatus why);
    State readHead(QByteArrayView head);
    [[nodiscard]] std::optional<HttpStatus> readRequestLine(QByteArrayView line);
    [[nodiscard]] std::optional<HttpStatus> readHeader(QByteArrayView line);
    [[nodiscard]] std::optional<HttpStatus> checkHeaders() const;

    qsizetype m_most;
    QByteArray m_head;
    State m_state = State::Incomplete;
    HttpRequest m_request;
    HttpStatus m_refusal = HttpStatus::BadRequest;
    bool m_isOlder = false;  // HTTP/1.0
};

}  // namespace lockkeeper::serve
