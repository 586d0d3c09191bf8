// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/block.h"
#include "recording/monitortrace/monitortrace.h"
#include "recording/record.h"
#include "recording/recordcodec.h"

#include <QIODevice>

#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::recording {

// Why a file does not open as a recording.
struct OpenProblem {
    enum class Kind {
        NotReadable,   // [the system's reason]
        NotAFile,      // a folder, a device, a FIFO
        NotRecording,  // another kind of file, or one without any record
        Newer,         // [the format's version]
        Stopped,       // reading it was cancelled
        TooLarge       // what it has about itself would take more memory than any recording needs
    };

    Kind kind = Kind::NotReadable;
    QString argument;
};

// Where a recording is: a file, a text of MONITOR or redis-cli that the user has pasted, or what a MonitorRecorder has
// made.
struct RecordingSource {
    RecordingSource(QString file) : path(std::move(file)) {}  // NOLINT: a path is the usual source
    RecordingSource(QByteArray pasted, QString name, WallTime at)
        : path(std::move(name)), text(std::move(pasted)), pastedAt(at) {}

    RecordingSource(QByteArray made, QString name, const TraceNotes& notes)
        : path(std::move(name)), text(std::move(made)), trace(notes) {}

    QString path;  // of a text: how it is called
    std::optional<QByteArray> text{};
    WallTime pastedAt{};
    std::optional<TraceNotes> trace{};  // only for a recording in `text`
};

// How far a file can be read.
struct FileEnd {
    enum class Kind {
        Whole,    // the recording was ended in order
        CutOff,   // the file ends too early: the program was killed, the disk was full, or it is still recording
        Damaged,  // the data after this place are not what was written
        TooLarge  // the data after this place would take more memory than any recording needs: nobody recorded them
    };

    Kind kind = Kind::Whole;
    qint64 offset = 0;        // the bytes before this offset are intact
    WallTime at{};            // of the last record before the end
    bool hasSkipped = false;  // entries that only a later version knows were left out, as far as the file was read
};

// Reads a recording. Damaged or missing data at its end is left out: end() reports this. A file is not trusted: it
// takes no more memory than its size allows, see block.h. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT RecordingFile {
public:
    struct Opened;
    // Checks the whole file; for a large file this takes as long as reading it. A JSON scenario of a real client also
    // opens as a recording: see ClientTrace. So does a text of MONITOR or redis-cli: see TraceTextReader. progress:
    // only for such a text.
    [[nodiscard]] static Opened open(const RecordingSource& source, const TraceProgress& progress = {});

    [[nodiscard]] const RecordingInfo& info() const noexcept { return m_info; }
    // What is not known, if the recording was made of a text, now or before it was saved.
    [[nodiscard]] const std::optional<TraceNotes>& trace() const noexcept { return m_trace ? m_trace : m_info.trace; }
    [[nodiscard]] const FileEnd& end() const noexcept { return m_end; }
    [[nodiscard]] const std::vector<BlockHead>& blocks() const noexcept { return m_blocks; }
    [[nodiscard]] SteadyTime first() const;
    [[nodiscard]] SteadyTime last() const;
    // As a date, by the wall clock at the time of the recording.
    [[nodiscard]] WallTime wallAt(SteadyTime time) const;
    [[nodiscard]] qint64 size() const { return m_file->size(); }

    class Records;
    // Call it in the order of the blocks, beginning with any of them.
    [[nodiscard]] Records records(size_t block);

private:
    RecordingFile(std::unique_ptr<QIODevice> file, quint32 version);

    [[nodiscard]] static Opened read(std::unique_ptr<QIODevice> file, std::optional<TraceNotes> trace = {});
    [[nodiscard]] static Opened openFile(const QString& path, const TraceProgress& progress);
    [[nodiscard]] static Opened readScenario(QIODevice& file);
    [[nodiscard]] static Opened readText(QIODevice& text, const QString& name, WallTime at,
                                         const TraceProgress& progress);
    // Reads the first block; nothing if that succeeded.
    [[nodiscard]] std::optional<OpenProblem> readInfo();
    void readHeads();
    [[nodiscard]] FileEnd::Kind readHead(qint64& offset);
    // The content of a block as it is in the file; shorter if the file ends before.
    [[nodiscard]] QByteArray storedAt(qint64 offset, const BlockHead& head) const;
    // Counts the content of the block that ends at the offset. False if the blocks so far have too much of it.
    [[nodiscard]] bool count(const BlockHead& head, qint64 end);
    // The block cannot be read behind the record at this time; nothing: not at all. It is the last one then.
    void endWithin(size_t block, FileEnd::Kind kind, std::optional<SteadyTime> lastRead);

    std::unique_ptr<QIODevice> m_file;
    const quint32 m_version;            // of its format
    std::optional<TraceNotes> m_trace;  // made of a text by this object
    RecordingInfo m_info;
    FileEnd m_end;
    std::vector<BlockHead> m_blocks;
    std::vector<qint64> m_offsets;  // of the blocks' contents
    qint64 m_contents = 0;          // bytes of the blocks so far, before compression
    KnownNodes m_nodes;
};

// The records of one block, one after the other. The file must outlive it.
class LOCKKEEPER_MONITOR_EXPORT RecordingFile::Records {
public:
    Records() = default;  // none

    // Nothing at the end. If the rest of the block has become unreadable, end() of the file then reports this.
    [[nodiscard]] std::optional<Record> next();
    // The memory that the last record takes, about.
    [[nodiscard]] qsizetype memory() const noexcept { return m_reader ? m_reader->memory() : 0; }

private:
    friend class RecordingFile;
    RecordingFile* m_file = nullptr;
    size_t m_block = 0;
    std::unique_ptr<RecordReader> m_reader;
    std::optional<SteadyTime> m_last;  // time of the last record
};

// Either the file or the problem.
struct RecordingFile::Opened {
    std::unique_ptr<RecordingFile> file;
    OpenProblem problem{};
};

}  // namespace lockkeeper::recording
