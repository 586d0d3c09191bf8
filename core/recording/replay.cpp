// SPDX-License-Identifier: Apache-2.0
#include "recording/replay.h"

#include "recording/labreports.h"

namespace lockkeeper::recording {

Replay::Replay(RecordingFile& file, Batches batches)
    : m_file(file), m_batches(batches), m_store(file.info().limits, file.info().timeouts) {
    if (m_batches == Batches::AsDelivered)
        return;
    // A receiver of an earlier replay may have figures of a later time.
    m_waiting.forgetStats = true;
    m_waiting.synchronizers.emplace();
}

const Record* Replay::next() {
    while (!m_next) {
        m_next = m_block.next();
        if (!m_next && m_nextBlock >= m_file.blocks().size())
            return nullptr;
        if (!m_next)
            m_block = m_file.records(m_nextBlock++);
    }
    return &*m_next;
}

std::optional<SteadyTime> Replay::nextAt() {
    const Record* record = next();
    return record ? std::optional(record->at) : std::nullopt;
}

Replay::Passed Replay::feed() {
    if (!next())
        return {};
    std::optional<Record> record = std::exchange(m_next, std::nullopt);
    return apply(record->entry);
}

Replay::Passed Replay::apply(Entry& entry) {
    Passed passed;
    if (auto* input = std::get_if<monitor::StoreInput>(&entry)) {
        m_store.feed(std::move(*input));
    } else if (const auto* link = std::get_if<LinkStatus>(&entry)) {
        passed.link = m_link = *link;
    } else if (const auto* ended = std::get_if<BatchEnded>(&entry)) {
        endBatch(*ended);
        passed.endsBatch = true;
    } else if (const auto* forced = std::get_if<LockForced>(&entry)) {
        force(*forced);
    } else if (const auto* caption = std::get_if<Caption>(&entry)) {
        passed.caption = m_caption = *caption;
    } else if (const auto* reported = std::get_if<LabReported>(&entry)) {
        addTo(m_lab, *reported->update);
    } else if (m_batches == Batches::AsDelivered) {
        passed.batch = std::make_shared<const monitor::MonitorBatch>(std::exchange(m_waiting, {}));
    }
    return passed;
}

void Replay::endBatch(const BatchEnded& ended) {
    m_figures.at = ended.at;
    if (ended.stats)
        m_figures.stats = ended.stats;
    if (ended.synchronizers)
        m_figures.synchronizers = ended.synchronizers;
    monitor::MonitorBatch batch;
    if (m_batches == Batches::AsDelivered)
        batch = m_store.take();
    batch.at = ended.at;
    batch.stats = ended.stats;
    batch.synchronizers = ended.synchronizers;
    (void)monitor::append(m_waiting, batch);
}

void Replay::force(const LockForced& forced) {
    monitor::MonitorBatch batch;
    batch.at = forced.at;
    batch.events = monitor::forcedOut(forced.broken, forced.at);
    (void)monitor::append(m_waiting, batch);
}

monitor::SharedBatch Replay::take() {
    monitor::MonitorBatch batch;
    if (m_store.hasChanges())
        batch = m_store.take();
    const monitor::MonitorBatch waiting = std::exchange(m_waiting, {});
    batch.at = waiting.at;
    batch.forgetStats = waiting.forgetStats;
    batch.stats = takeFigures();
    batch.synchronizers = waiting.synchronizers;
    batch.events.insert(batch.events.end(), waiting.events.begin(), waiting.events.end());
    return batch.isEmpty() ? nullptr : std::make_shared<const monitor::MonitorBatch>(std::move(batch));
}

// A live session reports its figures up to half a second after its rows. A replay can stop in between, so the figures
// of the rows are counted here.
std::optional<monitor::MonitorStats> Replay::takeFigures() {
    if (!m_figures.stats)
        return std::nullopt;
    monitor::MonitorStats figures = *m_figures.stats;
    monitor::MonitorStats counted;
    m_store.addTo(counted);
    figures.knownLocks = counted.knownLocks;
    figures.heldLocks = counted.heldLocks;
    figures.faultyLocks = counted.faultyLocks;
    if (m_takenFigures == figures)
        return std::nullopt;
    m_takenFigures = figures;
    return figures;
}

std::vector<Record> Replay::presentRecords(SteadyTime at) {
    // Just before the next record at this time, so that each of them can be shown separately.
    if (m_file.info().experiment)
        return {{at - SteadyTime::duration(1), LabReported{std::make_shared<const lab::LabUpdate>(m_lab)}}};
    std::vector<Record> records;
    records.push_back({at, m_link});
    if (!m_caption.text.isEmpty())
        records.push_back({at, m_caption});
    monitor::PresentInputs present = m_store.presentInputs();
    present.sortLocks();
    for (size_t i = 0; i < present.size(); ++i)
        records.push_back({at, present.at(i)});
    records.push_back({at, m_figures});
    records.push_back({at, BatchDelivered()});
    return records;
}

}  // namespace lockkeeper::recording
