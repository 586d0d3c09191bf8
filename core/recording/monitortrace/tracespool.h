// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/monitortrace/tracenotes.h"
#include "recording/recordcodec.h"

#include <QIODevice>

#include <memory>

namespace lockkeeper::recording {

// Keeps a recording while it is made: in memory as long as it is small, then in a temporary file. Thread: one.
class TraceSpool {
public:
    // server: shown as the server's name.
    explicit TraceSpool(QString server) : m_server(std::move(server)) {}

    void add(const Record& record, WallTime wall, TraceNotes::Kind kind);
    // In bytes, as compressed.
    [[nodiscard]] qint64 size() const noexcept { return m_size; }
    [[nodiscard]] bool hasFailed() const noexcept { return m_hasFailed; }
    [[nodiscard]] QString failure() const { return m_device->errorString(); }
    // The whole recording, at its begin. Only if there was a record.
    [[nodiscard]] std::unique_ptr<QIODevice> take();

private:
    void begin(const Record& record, WallTime wall, TraceNotes::Kind kind);
    void append(const QByteArray& bytes);
    void moveToFile();

    const QString m_server;
    BlockBuilder m_block;
    std::unique_ptr<QIODevice> m_device;
    qint64 m_size = 0;
    bool m_isFile = false;
    bool m_hasFailed = false;
};

}  // namespace lockkeeper::recording
