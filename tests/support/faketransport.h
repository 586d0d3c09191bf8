// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/transport.h"

namespace lockkeeper::test {

// A fake Transport: the test reads what was written and decides what the server answers.
class FakeTransport final : public redis::Transport {
public:
    void open() override { wasOpened = true; }
    void write(const QByteArray& bytes) override {
        written += bytes;
        ++writes;
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override { wasClosed = true; }

    void becomeOpen() { Q_EMIT opened(); }
    void receive(const QByteArray& bytes) {
        m_incoming += bytes;
        Q_EMIT readyRead();
    }
    void fail(ErrorCode code, const QString& text = QStringLiteral("as the test wants it")) {
        Q_EMIT failed(Error(code, text));
    }
    [[nodiscard]] QByteArray takeWritten() { return std::exchange(written, {}); }

    bool wasOpened = false;
    bool wasClosed = false;
    int writes = 0;
    QByteArray written;

private:
    QByteArray m_incoming;
};

}  // namespace lockkeeper::test
