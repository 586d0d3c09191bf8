// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/labframe.h"
#include "lab/run/scriptsources.h"

#include <vector>

namespace lockkeeper::ui {

enum class Change { None, New, Changed, Gone };

// The keys of a server compared with the frame before. What is gone since then is listed once more.
struct ShownEntry {
    lab::LabKey::Entry entry;
    Change change = Change::None;
};
struct ShownKey {
    lab::LabKey key;
    Change change = Change::None;
    std::vector<ShownEntry> entries;
};
enum class ServerRole { Alone, Master, Replica };
struct ShownServer {
    lab::LabServer server;
    ServerRole role = ServerRole::Alone;
    Change change = Change::None;  // of its condition
    std::vector<ShownKey> keys;    // by name
};

// All that a lab session has reported, so that one can go back in it. Its size is bounded by the session. A value.
class LabRecording {
public:
    void add(const lab::LabUpdate& update);

    [[nodiscard]] bool isEmpty() const noexcept { return m_frames.empty(); }
    [[nodiscard]] qsizetype size() const noexcept { return static_cast<qsizetype>(m_frames.size()); }
    [[nodiscard]] const lab::LabFrame& at(qsizetype frame) const { return m_frames.at(static_cast<size_t>(frame)); }
    // The servers as they were at that frame.
    [[nodiscard]] std::vector<ShownServer> serversAt(qsizetype frame) const;
    // Ordered by frame; lines of one frame are in the order in which they were reported.
    [[nodiscard]] const std::vector<lab::WireLine>& lines() const noexcept { return m_lines; }
    // The scripts of the commands in lines().
    [[nodiscard]] const lab::ScriptSources& scripts() const noexcept { return m_scripts; }
    [[nodiscard]] qint64 linesLeftOut() const noexcept { return m_linesLeftOut; }
    // No more frames are added.
    [[nodiscard]] bool isFull() const noexcept { return m_isFull; }
    // The frame of the step; nothing if the step has not ended, or has no moment.
    [[nodiscard]] std::optional<qsizetype> frameOfStep(qsizetype step) const;
    // How many actors believe at that frame to hold this lock.
    [[nodiscard]] qsizetype holdersAt(qsizetype frame, const lab::LockId& lock) const;

    [[nodiscard]] lab::LabPhase phase() const noexcept { return m_phase; }
    [[nodiscard]] qsizetype nextStep() const noexcept { return m_nextStep; }
    [[nodiscard]] const std::optional<lab::Outcome>& outcome() const noexcept { return m_outcome; }

private:
    [[nodiscard]] ServerRole roleOf(const lab::LabServer& server) const noexcept;

    std::vector<lab::LabFrame> m_frames;
    qsizetype m_firstFrame = 0;  // the number of the first of them
    std::vector<lab::WireLine> m_lines;
    lab::ScriptSources m_scripts;
    qint64 m_linesLeftOut = 0;
    bool m_isFull = false;
    bool m_hasReplicas = false;
    lab::LabPhase m_phase = lab::LabPhase::Starting;
    qsizetype m_nextStep = 0;
    std::optional<lab::Outcome> m_outcome;
};

}  // namespace lockkeeper::ui
