// SPDX-License-Identifier: Apache-2.0
#include "serve/http/httpmessage.h"

#include <algorithm>

namespace lockkeeper::serve {

QByteArray reasonPhrase(HttpStatus status) {
    switch (status) {
        case HttpStatus::Ok:
            return "OK";
        case HttpStatus::BadRequest:
            return "Bad Request";
        case HttpStatus::Unauthorized:
            return "Unauthorized";
        case HttpStatus::NotFound:
            return "Not Found";
        case HttpStatus::MethodNotAllowed:
            return "Method Not Allowed";
        case HttpStatus::RequestTimeout:
            return "Request Timeout";
        case HttpStatus::ContentTooLarge:
            return "Content Too Large";
        case HttpStatus::MisdirectedRequest:
            return "Misdirected Request";
        case HttpStatus::TooManyRequests:
            return "Too Many Requests";
        case HttpStatus::HeadTooLarge:
            return "Request Header Fields Too Large";
        case HttpStatus::Unavailable:
            return "Service Unavailable";
        case HttpStatus::VersionNotSupported:
            return "HTTP Version Not Supported";
    }
    return {};
}

QByteArray HttpRequest::header(QByteArrayView name) const {
    const auto found = std::ranges::find_if(headers, [name](const auto& header) { return header.first == name; });
    return found == headers.end() ? QByteArray() : found->second;
}

HttpResponse plainResponse(HttpStatus status) {
    HttpResponse response;
    response.status = status;
    response.body = QByteArray::number(static_cast<int>(status)) + ' ' + reasonPhrase(status) + '\n';
    if (status == HttpStatus::MethodNotAllowed)
        response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
}

QByteArray headOf(const HttpResponse& response) {
    QByteArray head =
        "HTTP/1.1 " + QByteArray::number(static_cast<int>(response.status)) + ' ' + reasonPhrase(response.status);
    head += "\r\nContent-Type: " + response.contentType;
    head += "\r\nContent-Length: " + QByteArray::number(response.body.size());
    for (const auto& [name, value] : response.headers)
        head += "\r\n" + name + ": " + value;
    return head + "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n";
}

}  // namespace lockkeeper::serve
