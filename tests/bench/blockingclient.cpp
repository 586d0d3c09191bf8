// SPDX-License-Identifier: Apache-2.0
#include "blockingclient.h"

#include <array>
#include <random>
#include <thread>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockkeeper::bench {

namespace {

// Parses a reply to SCAN: its cursor and the number of names; nothing if it is incomplete.
struct ScanReply {
    QByteArray cursor;
    qint64 names = 0;

    static std::optional<ScanReply> parse(const QByteArray& bytes) {
        qsizetype at = 0;
        const auto number = [&](char kind) {
            const qsizetype end = bytes.indexOf("\r\n", at);
            if (end < 0 || bytes[at] != kind)
                return qint64{-1};
            const qint64 value = bytes.mid(at + 1, end - at - 1).toLongLong();
            at = end + 2;
            return value;
        };
        const auto skip = [&](qint64 length) { at += static_cast<qsizetype>(length) + 2; };
        ScanReply reply;
        if (number('*') != 2)
            return std::nullopt;
        const qint64 length = number('$');
        reply.cursor = bytes.mid(at, static_cast<qsizetype>(length));
        skip(length);
        if (length < 0 || at >= bytes.size())
            return std::nullopt;
        reply.names = number('*');
        for (qint64 i = 0; i < reply.names; ++i) {
            const qint64 size = at < bytes.size() ? number('$') : -1;
            if (size < 0)
                return std::nullopt;
            skip(size);
        }
        return reply.names >= 0 && at == bytes.size() ? std::optional(reply) : std::nullopt;
    }
};

}  // namespace

BlockingClient::BlockingClient(const QString& socketPath) : m_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = socketPath.toLocal8Bit();
    std::copy_n(path.constData(), std::min<size_t>(static_cast<size_t>(path.size()), sizeof address.sun_path - 1),
                std::begin(address.sun_path));
    if (::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        giveUp(QStringLiteral("a client does not connect"));
}

BlockingClient::~BlockingClient() {
    ::close(m_socket);
}

Figures BlockingClient::timesOfGet(std::chrono::milliseconds time) const {
    // Random pauses, to avoid a common period with the measured program.
    std::minstd_rand chance(1);
    std::uniform_int_distribution<int> rest(500, 1500);
    Figures figures;
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::microseconds(rest(chance)));
        const auto start = std::chrono::steady_clock::now();
        send("*2\r\n$3\r\nGET\r\n$9\r\nelsewhere\r\n");
        if (receive() != "$-1\r\n")
            giveUp(QStringLiteral("a client gets another answer than expected"));
        figures.push_back(secondsSince(start) * 1e6);
    }
    return figures;
}

qint64 BlockingClient::scan(const QByteArray& count) const {
    qint64 names = 0;
    QByteArray cursor = "0";
    do {
        send("SCAN " + cursor + " COUNT " + count + "\r\n");
        QByteArray bytes = receive();
        std::optional<ScanReply> reply = ScanReply::parse(bytes);
        while (!reply) {
            bytes += receive();
            reply = ScanReply::parse(bytes);
        }
        cursor = reply->cursor;
        names += reply->names;
    } while (cursor != "0");
    return names;
}

void BlockingClient::send(const QByteArray& bytes) const {
    if (::write(m_socket, bytes.constData(), static_cast<size_t>(bytes.size())) != bytes.size())
        giveUp(QStringLiteral("a client cannot send"));
}

QByteArray BlockingClient::receive() const {
    std::array<char, 65536> buffer;
    const ssize_t size = ::read(m_socket, buffer.data(), buffer.size());
    if (size <= 0)
        giveUp(QStringLiteral("a client gets no answer"));
    return {buffer.data(), static_cast<qsizetype>(size)};
}

}  // namespace lockkeeper::bench
