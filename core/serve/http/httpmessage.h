// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

#include <utility>
#include <vector>

namespace lockkeeper::serve {

enum class HttpStatus {
    Ok = 200,
    BadRequest = 400,
    Unauthorized = 401,
    NotFound = 404,
    MethodNotAllowed = 405,
    RequestTimeout = 408,
    ContentTooLarge = 413,
    MisdirectedRequest = 421,
    TooManyRequests = 429,
    HeadTooLarge = 431,
    Unavailable = 503,
    VersionNotSupported = 505
};
[[nodiscard]] QByteArray reasonPhrase(HttpStatus status);

using HttpHeaders = std::vector<std::pair<QByteArray, QByteArray>>;

// A request without a body: no other one is taken.
struct HttpRequest {
    enum class Method { Get, Head };

    Method method = Method::Get;
    QByteArray path;      // begins with '/', not decoded, without what follows a '?'
    HttpHeaders headers;  // names in lower case

    // Empty if there is none. Of several, the first.
    [[nodiscard]] QByteArray header(QByteArrayView name) const;
};

struct HttpResponse {
    HttpStatus status = HttpStatus::Ok;
    QByteArray contentType = QByteArrayLiteral("text/plain; charset=utf-8");
    QByteArray body{};
    HttpHeaders headers{};  // further ones
};

// The status and its reason as the body.
[[nodiscard]] HttpResponse plainResponse(HttpStatus status);
// The bytes in front of the body. The connection is closed behind each response.
[[nodiscard]] QByteArray headOf(const HttpResponse& response);

}  // namespace lockkeeper::serve
