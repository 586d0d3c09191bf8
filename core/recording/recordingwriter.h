// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "recording/block.h"

#include <QFile>

namespace lockkeeper::recording {

// Writes the file of a recording: compresses blocks and appends them, as long as they fit. It blocks for the disk, so
// it runs on its own thread. Its file can always be read up to the last block.
class LOCKKEEPER_MONITOR_EXPORT RecordingWriter {
public:
    enum class Written { Whole, NoRoom };

    // limit: in bytes of the file.
    RecordingWriter(const QString& path, qint64 limit);

    // Creates the file, only for this user. An existing file is refused.
    virtual ~RecordingWriter() = default;
    [[nodiscard]] virtual Result<Done> open(const Block& info);
    // NoRoom: with this block the file would be too large; it is not written.
    [[nodiscard]] Result<Written> write(const Block& block);
    // Marks the file as whole.
    [[nodiscard]] Result<Done> end();
    // Removes the file.
    void discard() { m_file.remove(); }
    [[nodiscard]] qint64 size() const noexcept { return m_size; }

private:
    [[nodiscard]] Result<Done> append(const QByteArray& bytes);
    [[nodiscard]] Error failure() const;

    QFile m_file;
    const qint64 m_limit;
    qint64 m_size = 0;  // bytes written as whole blocks
};

}  // namespace lockkeeper::recording
