// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/block.h"
#include "recording/record.h"
#include "recording/recordcodec.h"

#include <QIODevice>

#include <memory>
#include <vector>

namespace lockkeeper::recording {

// Why a file does not open as a recording.
struct OpenProblem {
    enum class Kind {
        NotReadable,   // [the system's reason]
        NotAFile,      // a folder, a device, a FIFO
        NotRecording,  // another kind of file, or one without any record
        Newer          // [the format's version]
    };

    Kind kind = Kind::NotReadable;
    QString argument;
};

// How far a file can be read.
struct FileEnd {
    enum class Kind {
        Whole,   // the recording was ended in order
        CutOff,  // the file ends too early: the program was killed, the disk was full, or it is still recording
        Damaged  // the data after this place are not what was written
    };

    Kind kind = Kind::Whole;
    qint64 offset = 0;  // the bytes before this offset are intact
    WallTime at{};      // of the last record before the end
};

// Reads a recording. Damaged or missing data at its end is left out: end() reports this. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT RecordingFile {
public:
    struct Opened;
    // Checks the whole file; for a large file this takes as long as reading it. A JSON scenario of a real client also
    // opens as a recording: see ClientTrace.
    [[nodiscard]] static Opened open(const QString& path);

    [[nodiscard]] const RecordingInfo& info() const noexcept { return m_info; }
    [[nodiscard]] const FileEnd& end() const noexcept { return m_end; }
    [[nodiscard]] const std::vector<BlockHead>& blocks() const noexcept { return m_blocks; }
    [[nodiscard]] SteadyTime first() const;
    [[nodiscard]] SteadyTime last() const;
    // As a date, by the wall clock at the time of the recording.
    [[nodiscard]] WallTime wallAt(SteadyTime time) const;
    [[nodiscard]] qint64 size() const { return m_file->size(); }

    // Call it in the order of the blocks, beginning with any of them. Empty if the block has become unreadable; end()
    // then reports this.
    [[nodiscard]] std::vector<Record> records(size_t block);

private:
    RecordingFile(std::unique_ptr<QIODevice> file, quint32 version, RecordingInfo info);

    [[nodiscard]] static Opened read(std::unique_ptr<QIODevice> file);
    [[nodiscard]] static Opened readTrace(QIODevice& file);
    void readHeads(qint64 offset);
    [[nodiscard]] FileEnd::Kind readHead(qint64& offset);

    std::unique_ptr<QIODevice> m_file;
    const quint32 m_version;  // of its format
    RecordingInfo m_info;
    FileEnd m_end;
    std::vector<BlockHead> m_blocks;
    std::vector<qint64> m_offsets;  // of the blocks' contents
    ArchiveReader::Nodes m_nodes;
};

// Either the file or the problem.
struct RecordingFile::Opened {
    std::unique_ptr<RecordingFile> file;
    OpenProblem problem{};
};

}  // namespace lockkeeper::recording
