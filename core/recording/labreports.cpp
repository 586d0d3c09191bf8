// SPDX-License-Identifier: Apache-2.0
#include "recording/labreports.h"

namespace lockkeeper::recording {

std::vector<LabReport> labReportsIn(RecordingFile& file) {
    std::vector<LabReport> reports;
    if (!file.info().experiment)
        return reports;
    qsizetype frames = 0;
    qint64 lines = 0;
    qsizetype room = roomForValues(file.size());
    for (size_t block = 0; block < file.blocks().size(); ++block) {
        RecordingFile::Records records = file.records(block);
        for (std::optional<Record> record = records.next(); record; record = records.next()) {
            const auto* reported = std::get_if<LabReported>(&record->entry);
            if (!reported)
                continue;
            frames += std::ssize(reported->update->frames);
            lines += std::ssize(reported->update->lines);
            room -= records.memory();
            if (frames > lab::mostLabFrames || lines > lab::mostWireLines || room < 0)
                return reports;
            reports.push_back({record->at, reported->update});
        }
    }
    return reports;
}

void addTo(lab::LabUpdate& shown, const lab::LabUpdate& update) {
    const bool isFirst = shown.frames.empty();
    const qsizetype last = (isFirst ? update.firstFrame : shown.firstFrame + 1) + std::ssize(update.frames) - 1;
    const qsizetype lines = std::ssize(shown.lines) + std::ssize(update.lines);
    if (last >= lab::mostLabFrames || lines > lab::mostWireLines)
        return;  // beyond a lab session's bounds, see labReportsIn()
    lab::LabUpdate next = update;
    if (update.frames.empty()) {
        next.firstFrame = shown.firstFrame;
        next.frames = std::move(shown.frames);
    } else {
        next.firstFrame = last;
        next.frames = {update.frames.back()};
    }
    next.lines.insert(next.lines.begin(), std::make_move_iterator(shown.lines.begin()),
                      std::make_move_iterator(shown.lines.end()));
    std::erase_if(next.lines, [&next](const lab::WireLine& line) { return line.frame < next.firstFrame; });
    if (!next.outcome)
        next.outcome = shown.outcome;
    shown = std::move(next);
}

}  // namespace lockkeeper::recording
