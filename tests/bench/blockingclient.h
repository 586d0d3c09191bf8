#pragma once

#include "measuring.h"

namespace lockkeeper::bench {

// Another client of the server, over a blocking socket, that does next to nothing itself. Ends the program when
// something does not work.
class BlockingClient {
public:
    explicit BlockingClient(const QString& socketPath);
    BlockingClient(const BlockingClient&) = delete;
    BlockingClient& operator=(const BlockingClient&) = delete;
    ~BlockingClient();

    // A GET about each millisecond for so long: microseconds of each.
    [[nodiscard]] Figures timesOfGet(std::chrono::milliseconds time) const;
    // Goes over all keys; answers how many names there were.
    [[nodiscard]] qint64 scan(const QByteArray& count) const;

private:
    void send(const QByteArray& bytes) const;
    // What has come, at least a byte.
    [[nodiscard]] QByteArray receive() const;

    int m_socket;
};

}  // namespace lockkeeper::bench
