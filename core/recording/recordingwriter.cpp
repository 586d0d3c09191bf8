// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingwriter.h"

#include "base/regularfile.h"

#include <algorithm>
#include <cerrno>

namespace lockkeeper::recording {

namespace {

// The bytes that the last block of the file needs.
constexpr qint64 endRoom = blockHeadSize + 64;

}  // namespace

RecordingWriter::RecordingWriter(const QString& path, qint64 limit) : m_file(path), m_limit(limit) {}

Error RecordingWriter::failure() const {
    return Error(ErrorCode::Storage, Cause::FileNotWritten, {m_file.fileName(), m_file.errorString()});
}

Result<Done> RecordingWriter::open(const Block& info) {
    if (!m_file.open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered,
                     QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return failure();
    return append(fileHead() + sealed(info));
}

// If a full disk has taken a part of a block, this part is removed again, so that the file ends with a whole block.
Result<Done> RecordingWriter::append(const QByteArray& bytes) {
    if (!writeWhole(m_file, bytes)) {
        const Error error = failure();
        m_file.resize(m_size);
        return error;
    }
    m_size += bytes.size();
    return Done();
}

Result<RecordingWriter::Written> RecordingWriter::write(const Block& block) {
    const QByteArray bytes = sealed(block);
    if (std::max(block.content.size(), bytes.size() - blockHeadSize) > largestBlock)  // nobody could read it
        return Error(ErrorCode::Storage, Cause::FileNotWritten, {m_file.fileName(), qt_error_string(EFBIG)});
    if (m_size + bytes.size() + endRoom > m_limit)
        return Written::NoRoom;
    const Result<Done> appended = append(bytes);
    return appended ? Result<Written>(Written::Whole) : Result<Written>(appended.error());
}

Result<Done> RecordingWriter::end() {
    Block last;
    last.head.kind = BlockKind::End;
    return append(sealed(last));
}

}  // namespace lockkeeper::recording
