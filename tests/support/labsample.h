// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordcodec.h"
#include "recording/recordingwriter.h"
#include "support/recordingsample.h"

namespace lockkeeper::test {

// What a lab session may have reported, made by hand: `a` takes L, and `b` takes it, too.

inline const ClientId labClient("0c2d61e5-5b0a-4b8f-9d0c-7a1b2c3d4e5f");

inline lab::LabActor labActor(const char* name, bool holds) {
    lab::LabActor actor;
    actor.name = name;
    if (!holds)
        return actor;
    lab::LabThread thread;
    thread.thread = ThreadId{1};
    thread.lock = "L";
    thread.doing = lab::LabThread::Doing::Holds;
    actor.threads = {thread};
    return actor;
}

inline lab::LabFrame labFrame(Milliseconds at, const char* acting, const char* action, const char* what, int holders) {
    lab::LabFrame frame;
    frame.moment = {at, -1, acting, what, "L"};
    frame.action = action;
    frame.actors = {labActor("a", holders > 0), labActor("b", holders > 1)};
    lab::LabServer server;
    if (holders > 0)
        server.keys = {{"L", "hash", {{labClient.bytes() + ":1", "1"}}, Milliseconds(30000)}};
    frame.servers = {server};
    return frame;
}

inline lab::WireLine labLine(qsizetype frame, const QByteArrayList& arguments) {
    lab::WireLine line;
    line.frame = frame;
    line.actor = "a";
    line.arguments = arguments;
    return line;
}

inline lab::LabUpdate labUpdate(lab::LabPhase phase, std::vector<lab::LabFrame> frames = {},
                                std::vector<lab::WireLine> lines = {}) {
    lab::LabUpdate update;
    update.phase = phase;
    update.frames = std::move(frames);
    update.lines = std::move(lines);
    return update;
}

inline recording::Record labReportAt(Milliseconds at, const lab::LabUpdate& update) {
    return {SteadyTime(std::chrono::hours(1) + at),
            recording::LabReported{std::make_shared<const lab::LabUpdate>(update)}};
}

inline recording::RecordingInfo labInfo(const char* experiment = "short-lease") {
    recording::RecordingInfo info = sampleInfo();
    info.server = QString::fromLatin1(experiment);
    info.experiment = {experiment, lab::Trigger::Present};
    return info;
}

// One second between two frames; the outcome comes with the last one.
inline std::vector<std::vector<recording::Record>> labStory() {
    using lab::LabPhase;
    lab::LabUpdate last = labUpdate(LabPhase::Free);
    last.outcome.emplace();
    last.outcome->facts = {{"L.most", lab::Fact(qint64(2))}};
    return {{labReportAt(Milliseconds(0), labUpdate(LabPhase::Starting)),
             labReportAt(Milliseconds(1000),
                         labUpdate(LabPhase::Starting, {labFrame(Milliseconds(0), "", "start", "", 0)}))},
            {labReportAt(Milliseconds(2000),
                         labUpdate(LabPhase::Running, {labFrame(Milliseconds(1000), "a", "acquire", "acquired", 1)},
                                   {labLine(1, {"SET", "L", labClient.bytes()})}))},
            {labReportAt(Milliseconds(3000),
                         labUpdate(LabPhase::Running, {labFrame(Milliseconds(2000), "b", "acquire", "acquired", 2)},
                                   {labLine(2, {"GET", "L"})})),
             labReportAt(Milliseconds(3000), last)}};
}

}  // namespace lockkeeper::test
