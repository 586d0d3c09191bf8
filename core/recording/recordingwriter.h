// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "recording/block.h"

#include <QFile>

namespace lockkeeper::recording {

// The file of a recording that is written: compresses blocks and appends them, as long as they fit. Blocks until the
// disk has taken them, so it runs on a thread of its own. What it leaves behind can always be read up to its last
// block.
class LOCKKEEPER_MONITOR_EXPORT RecordingWriter {
public:
    enum class Written { Whole, NoRoom };

    // limit: bytes of the file.
    RecordingWriter(const QString& path, qint64 limit);

    // Creates the file, for this user alone. An existing file is refused.
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
    qint64 m_size = 0;  // of all that was written as a whole
};

}  // namespace lockkeeper::recording
