// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring.h"

namespace lockkeeper::bench {

// Another client of the server, on a blocking socket and with minimal work of its own. Aborts the program on any
// failure.
class BlockingClient {
public:
    explicit BlockingClient(const QString& socketPath);
    BlockingClient(const BlockingClient&) = delete;
    BlockingClient& operator=(const BlockingClient&) = delete;
    ~BlockingClient();

    // A GET about every millisecond for this time; returns the microseconds of each.
    [[nodiscard]] Figures timesOfGet(std::chrono::milliseconds time) const;
    // Scans all keys; returns the number of names.
    [[nodiscard]] qint64 scan(const QByteArray& count) const;

private:
    void send(const QByteArray& bytes) const;
    // The bytes that have arrived, at least one.
    [[nodiscard]] QByteArray receive() const;

    int m_socket;
};

}  // namespace lockkeeper::bench
