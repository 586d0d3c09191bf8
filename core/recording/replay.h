// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/store/lockstore.h"
#include "recording/recordingfile.h"

#include <memory>

namespace lockkeeper::recording {

// Feeds the records of a file to a store of its own. The same program gets the same data, so it produces the same
// events and diagnoses as the session did. It only goes forwards; for an earlier time start another replay from the
// beginning. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT Replay {
public:
    enum class Batches {
        AsDelivered,  // each batch as the session has passed it on, see Passed
        Together      // all changes since the last take(); much faster
    };

    // file: must outlive it.
    Replay(RecordingFile& file, Batches batches);

    // The time of the next record; nothing at the end.
    [[nodiscard]] std::optional<SteadyTime> nextAt();
    // The result of one record.
    struct Passed {
        std::optional<LinkStatus> link;
        monitor::SharedBatch batch;  // AsDelivered; mostly null
        std::optional<Caption> caption;
        bool endsBatch = false;
    };
    // Applies the next record, if there is one.
    Passed feed();
    // Together: all changes since the last call; nothing if there are none.
    [[nodiscard]] monitor::SharedBatch take();

    [[nodiscard]] qsizetype knownLocks() const { return m_store.known(); }
    // The next record, which is not applied yet; null at the end. Valid until the next feed().
    [[nodiscard]] const Record* next();
    // Records that lead a new replay to the present state of this one.
    [[nodiscard]] std::vector<Record> presentRecords(SteadyTime at);

private:
    [[nodiscard]] Passed apply(Entry& entry);
    void endBatch(const BatchEnded& ended);
    void force(const LockForced& forced);
    [[nodiscard]] std::optional<monitor::MonitorStats> takeFigures();

    RecordingFile& m_file;
    const Batches m_batches;
    monitor::LockStore m_store;
    monitor::MonitorBatch m_waiting;
    RecordingFile::Records m_block;
    std::optional<Record> m_next;  // read, but not applied yet
    size_t m_nextBlock = 0;        // the block to read after the present one
    LinkStatus m_link;
    Caption m_caption;
    BatchEnded m_figures;  // the last of each figure
    std::optional<monitor::MonitorStats> m_takenFigures;
    lab::LabUpdate m_lab;  // only for a lab session: see addTo()
};

}  // namespace lockkeeper::recording
