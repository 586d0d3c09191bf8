// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"

#include "recording/recordingwriter.h"
#include "recording/replay.h"

namespace lockkeeper::recording {

namespace {

constexpr qsizetype fullExcerptBlock = 256 * 1024;

// Writes records as blocks until there is no room, or an error.
class ExcerptWriter {
public:
    ExcerptWriter(const RecordingRequest& request, RecordingFile& file)
        : m_file(file),
          m_mask(request.masking == Masking::On ? std::make_unique<const Mask>() : nullptr),
          m_block(m_mask.get()),
          m_writer(request.path, request.limit) {}

    Result<Done> open(SteadyTime begin) {
        RecordingInfo info = m_file.info();
        info.isMasked = info.isMasked || m_mask;
        info.begunSteady = begin;
        info.begun = m_file.wallAt(begin);
        return m_writer.open(infoBlock(info, m_mask.get()));
    }
    // False: nothing more can be written.
    bool add(const Record& record) {
        m_block.add(record, m_file.wallAt(record.at));
        return m_block.size() < fullExcerptBlock || write();
    }
    Error cancel() {
        m_writer.discard();
        return Error(ErrorCode::Cancelled, Cause::Cancelled);
    }
    Result<RecordingPhase> end() {
        if (m_phase == RecordingPhase::Running && !m_block.isEmpty())
            (void)write();
        if (m_error)
            return *m_error;
        const Result<Done> ended = m_writer.end();
        if (!ended)
            return ended.error();
        return m_phase == RecordingPhase::Running ? RecordingPhase::Stopped : m_phase;
    }

private:
    bool write() {
        const Result<RecordingWriter::Written> written = m_writer.write(m_block.take());
        if (!written)
            m_error = written.error();
        if (!written || *written == RecordingWriter::Written::NoRoom)
            m_phase = RecordingPhase::LimitReached;
        return m_phase == RecordingPhase::Running;
    }

    RecordingFile& m_file;
    const std::unique_ptr<const Mask> m_mask;
    BlockBuilder m_block;
    RecordingWriter m_writer;
    RecordingPhase m_phase = RecordingPhase::Running;
    std::optional<Error> m_error;
};

}  // namespace

Result<RecordingPhase> saveExcerpt(RecordingFile& file, const RecordingRequest& request, std::optional<WallTime> from,
                                   std::optional<WallTime> to, const std::stop_token& stop) {
    Replay replay(file, Replay::Batches::Together);
    const auto isBefore = [&](std::optional<WallTime> time) {
        const std::optional<SteadyTime> next = replay.nextAt();
        return next && time && file.wallAt(*next) < *time;
    };
    const bool hasSkipped = isBefore(from);
    while (isBefore(from) && !stop.stop_requested()) {
        (void)replay.feed();
        (void)replay.take();
    }
    const SteadyTime begin = replay.nextAt().value_or(file.last());
    ExcerptWriter writer(request, file);
    if (const Result<Done> opened = writer.open(begin); !opened)
        return opened.error();
    bool hasRoom = true;
    for (const Record& record : hasSkipped ? replay.presentRecords(begin) : std::vector<Record>())
        hasRoom = hasRoom && writer.add(record);
    for (; hasRoom && !stop.stop_requested() && replay.next() && (!to || file.wallAt(replay.next()->at) <= *to); (void)replay.feed())
        hasRoom = writer.add(*replay.next());
    if (stop.stop_requested())
        return writer.cancel();
    return writer.end();
}

}  // namespace lockkeeper::recording
