// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"

#include "recording/recordingwriter.h"
#include "recording/replay.h"

#include <algorithm>
#include <utility>

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
        info.trace = m_file.trace();
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

// The share of the time from the begin of a recording to the end of its part that was read.
class Progress {
public:
    Progress(const RecordingFile& file, std::optional<WallTime> to, const std::function<void(int)>& progressed)
        : m_file(file),
          m_begin(file.wallAt(file.first())),
          m_end(to.value_or(file.wallAt(file.last()))),
          m_progressed(progressed) {}

    void at(SteadyTime time) {
        const double whole = std::max<double>(static_cast<double>((m_end - m_begin).count()), 1);
        const double read = static_cast<double>((m_file.wallAt(time) - m_begin).count());
        reach(static_cast<int>(std::clamp(read / whole, 0.0, 1.0) * 100));
    }
    void end() { reach(100); }

private:
    void reach(int percent) {
        if (percent > std::exchange(m_percent, std::max(m_percent, percent)) && m_progressed)
            m_progressed(percent);
    }

    const RecordingFile& m_file;
    const WallTime m_begin;
    const WallTime m_end;
    const std::function<void(int)>& m_progressed;
    int m_percent = 0;
};

}  // namespace

Result<RecordingPhase> saveExcerpt(RecordingFile& file, const RecordingRequest& request, std::optional<WallTime> from,
                                   std::optional<WallTime> to, const std::stop_token& stop,
                                   const std::function<void(int)>& progressed) {
    Replay replay(file, Replay::Batches::Together);
    Progress progress(file, to, progressed);
    const auto isBefore = [&](std::optional<WallTime> time) {
        const std::optional<SteadyTime> next = replay.nextAt();
        return next && time && file.wallAt(*next) < *time;
    };
    const bool hasSkipped = isBefore(from);
    while (isBefore(from) && !stop.stop_requested()) {
        progress.at(*replay.nextAt());
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
    for (; hasRoom && !stop.stop_requested() && replay.next() && (!to || file.wallAt(replay.next()->at) <= *to);
         (void)replay.feed()) {
        progress.at(replay.next()->at);
        hasRoom = writer.add(*replay.next());
    }
    if (stop.stop_requested())
        return writer.cancel();
    progress.end();
    return writer.end();
}

}  // namespace lockkeeper::recording
