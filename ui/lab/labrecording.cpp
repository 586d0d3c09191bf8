// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labrecording.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using lab::LabKey;
using lab::LabServer;

std::vector<ShownEntry> entriesBeside(const LabKey& before, const LabKey& now) {
    std::vector<ShownEntry> shown;
    for (const LabKey::Entry& entry : now.entries) {
        const auto earlier = std::ranges::find(before.entries, entry.field, &LabKey::Entry::field);
        const bool isNew = earlier == before.entries.end();
        const bool isSame = !isNew && earlier->value == entry.value;
        shown.push_back({entry, isNew ? Change::New : isSame ? Change::None : Change::Changed});
    }
    for (const LabKey::Entry& entry : before.entries) {
        if (std::ranges::find(now.entries, entry.field, &LabKey::Entry::field) == now.entries.end())
            shown.push_back({entry, Change::Gone});
    }
    return shown;
}

std::vector<ShownEntry> entriesAs(const LabKey& key, Change change) {
    std::vector<ShownEntry> shown;
    for (const LabKey::Entry& entry : key.entries)
        shown.push_back({entry, change});
    return shown;
}

ShownServer beside(const LabServer* before, const LabServer& now) {
    ShownServer shown;
    shown.server = now;
    const bool isSame = !before || (before->condition == now.condition && before->isReplica == now.isReplica &&
                                    before->isReplicationHeld == now.isReplicationHeld &&
                                    before->unreached == now.unreached && before->reading == now.reading);
    shown.change = isSame ? Change::None : Change::Changed;
    const std::vector<LabKey> nothing;
    const std::vector<LabKey>& earlier = before ? before->keys : nothing;
    for (const LabKey& key : now.keys) {
        const auto old = std::ranges::find(earlier, key.name, &LabKey::name);
        if (old == earlier.end())
            shown.keys.push_back({key, before ? Change::New : Change::None, entriesAs(key, Change::None)});
        else
            shown.keys.push_back(
                {key, old->keepsTheSame(key) ? Change::None : Change::Changed, entriesBeside(*old, key)});
    }
    for (const LabKey& key : earlier) {
        if (std::ranges::find(now.keys, key.name, &LabKey::name) == now.keys.end())
            shown.keys.push_back({key, Change::Gone, entriesAs(key, Change::Gone)});
    }
    std::ranges::sort(shown.keys, {}, [](const ShownKey& one) { return one.key.name; });
    return shown;
}

}  // namespace

void LabRecording::add(const lab::LabUpdate& update) {
    if (m_frames.empty())
        m_firstFrame = update.firstFrame;
    m_frames.insert(m_frames.end(), update.frames.begin(), update.frames.end());
    for (const lab::LabFrame& frame : update.frames)
        m_hasReplicas = m_hasReplicas || std::ranges::any_of(frame.servers, &LabServer::isReplica);
    // Each server numbers its own lines: one server may be behind the others, and behind the first frame of a part.
    for (lab::WireLine line : update.lines) {
        line.frame = std::max<qsizetype>(line.frame - m_firstFrame, 0);
        m_lines.insert(std::ranges::upper_bound(m_lines, line.frame, {}, &lab::WireLine::frame), line);
        m_scripts.note(line.arguments);
    }
    m_linesLeftOut = update.linesLeftOut;
    m_isFull = update.isFull;
    m_phase = update.phase;
    m_nextStep = update.nextStep;
    if (update.outcome)
        m_outcome = update.outcome;
}

std::vector<ShownServer> LabRecording::serversAt(qsizetype frame) const {
    std::vector<ShownServer> shown;
    for (const LabServer& now : at(frame).servers) {
        const LabServer* before = nullptr;
        if (frame > 0) {
            const std::vector<LabServer>& earlier = at(frame - 1).servers;
            const auto found = std::ranges::find(earlier, now.number, &LabServer::number);
            before = found == earlier.end() ? nullptr : &*found;
        }
        shown.push_back(beside(before, now));
        shown.back().role = roleOf(now);
    }
    return shown;
}

// After a failover there may be two masters and no replica.
ServerRole LabRecording::roleOf(const LabServer& server) const noexcept {
    if (server.number == lab::sentinelServer)
        return ServerRole::Alone;
    if (server.isReplica)
        return ServerRole::Replica;
    return m_hasReplicas ? ServerRole::Master : ServerRole::Alone;
}

std::optional<qsizetype> LabRecording::frameOfStep(qsizetype step) const {
    const auto isOfStep = [step](const lab::LabFrame& frame) { return frame.moment.step == step; };
    const auto last = std::find_if(m_frames.rbegin(), m_frames.rend(), isOfStep);
    return last == m_frames.rend() ? std::nullopt : std::optional<qsizetype>(m_frames.rend() - last - 1);
}

qsizetype LabRecording::holdersAt(qsizetype frame, const lab::LockId& lock) const {
    return std::ranges::count_if(at(frame).actors, [&lock](const lab::LabActor& actor) {
        return std::ranges::any_of(actor.threads, [&lock](const lab::LabThread& thread) {
            return thread.lock == lock && thread.doing == lab::LabThread::Doing::Holds;
        });
    });
}

}  // namespace lockkeeper::ui
