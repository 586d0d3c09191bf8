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
        NotRecording,  // another kind of file, or one that ends before anything was recorded
        Newer          // [the format's version]
    };

    Kind kind = Kind::NotReadable;
    QString argument;
};

// How far a file can be read.
struct FileEnd {
    enum class Kind {
        Whole,   // its recording was ended in order
        CutOff,  // the file ends before: its program was ended by force, the disk was full, or it is still recording
        Damaged  // what follows is not what was written
    };

    Kind kind = Kind::Whole;
    qint64 offset = 0;  // bytes up to there are intact
    WallTime at{};      // of the last record before
};

// A recording that is read. What is damaged or missing at its end is left out: end() says so. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT RecordingFile {
public:
    struct Opened;
    // Checks the whole file; of a large one this takes as long as reading it. A scenario of a real client in JSON opens as
    // a recording, too: see ClientTrace.
    [[nodiscard]] static Opened open(const QString& path);

    [[nodiscard]] const RecordingInfo& info() const noexcept { return m_info; }
    [[nodiscard]] const FileEnd& end() const noexcept { return m_end; }
    [[nodiscard]] const std::vector<BlockHead>& blocks() const noexcept { return m_blocks; }
    [[nodiscard]] SteadyTime first() const;
    [[nodiscard]] SteadyTime last() const;
    // As a date, by the wall clock of then.
    [[nodiscard]] WallTime wallAt(SteadyTime time) const;
    [[nodiscard]] qint64 size() const { return m_file->size(); }

    // To be called in the order of the blocks, from any of them. Empty if the block has become unreadable; then end()
    // says so.
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
    std::vector<qint64> m_offsets;  // of the contents
    ArchiveReader::Nodes m_nodes;
};

// Either of the two.
struct RecordingFile::Opened {
    std::unique_ptr<RecordingFile> file;
    OpenProblem problem{};
};

}  // namespace lockkeeper::recording
