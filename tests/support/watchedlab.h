// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "lab/experiment/catalogue.h"
#include "lab/run/decidingline.h"
#include "lab/run/labsession.h"
#include "lab/run/scriptsources.h"
#include "support/taskwait.h"

#include <QTest>

#include <algorithm>
#include <map>

namespace lockkeeper::test {

// A session of the lab on real servers, as a person watches it, and all that it has reported.
struct WatchedLab {
    static constexpr int patience = 180000;

    explicit WatchedLab(const char* experiment, std::optional<Milliseconds> stop = Milliseconds(0), int stretch = 1)
        : session({experiment, {lab::Trigger::Present, stretch}, stop, qEnvironmentVariable("LOCKKEEPER_TEST_SERVER")},
                  clock) {
        QObject::connect(&session, &lab::LabSession::changed, &session, [this](const lab::SharedLabUpdate& update) {
            phase = update->phase;
            nextStep = update->nextStep;
            frames.insert(frames.end(), update->frames.begin(), update->frames.end());
            lines.insert(lines.end(), update->lines.begin(), update->lines.end());
            linesLeftOut = update->linesLeftOut;
            if (update->outcome)
                outcome = update->outcome;
        });
        session.open();
    }
    [[nodiscard]] bool comesTo(lab::LabPhase wanted) {
        return test::becomesTrue([&] { return phase == wanted || phase == lab::LabPhase::Failed; }, patience) &&
               phase == wanted;
    }
    [[nodiscard]] bool comesBefore(qsizetype step) {
        return test::becomesTrue([&] { return phase == lab::LabPhase::Stopped && nextStep == step; }, patience);
    }
    // Stops within this step, which must last for seconds, in a stretched run if need be. If the stop came too late, it
    // would be before the next step. what: the word of the stop's moment, which names who stops.
    [[nodiscard]] bool stopsWithin(qsizetype step, const char* what) {
        if (!test::becomesTrue([&] { return phase == lab::LabPhase::Running && nextStep == step; }, patience))
            return false;
        session.request(lab::SetPace{std::nullopt});
        return comesTo(lab::LabPhase::Stopped) && nextStep == step && frames.back().moment.what == what &&
               frames.back().action == "stop";
    }
    // Makes the fault at a pause, which is before the same step afterwards. what: the word of its moment.
    [[nodiscard]] bool makesByHand(const lab::Fault& fault, const char* what) {
        const qsizetype step = nextStep;
        session.request(lab::Step{{}, {}, fault});
        return test::becomesTrue([&] { return frameOf("fault", what) != nullptr; }) && comesBefore(step);
    }
    [[nodiscard]] const lab::LabFrame* frameOf(const char* action, const char* what) const {
        const auto found = std::ranges::find_if(
            frames, [&](const lab::LabFrame& frame) { return frame.action == action && frame.moment.what == what; });
        return found == frames.end() ? nullptr : &*found;
    }
    [[nodiscard]] const lab::WireLine* lineOf(const char* command, lab::WireLine::Sender sender) const {
        const auto found = std::ranges::find_if(lines, [&](const lab::WireLine& line) {
            return line.sender == sender && line.arguments.first().toUpper() == command;
        });
        return found == lines.end() ? nullptr : &*found;
    }

    [[nodiscard]] std::vector<QByteArrayList> callsOfScript(size_t command) const {
        std::vector<QByteArrayList> calls;
        for (size_t at = command + 1; at < lines.size(); ++at) {
            if (lines[at].server != lines[command].server)
                continue;
            if (lines[at].sender != lab::WireLine::Sender::Script)
                break;
            calls.push_back(lines[at].arguments);
        }
        return calls;
    }
    // How often each line of a script decided; "" where it is not certain.
    [[nodiscard]] std::map<QByteArray, int> decidingLines() const {
        lab::ScriptSources sources;
        std::map<QByteArray, int> found;
        for (size_t at = 0; at < lines.size(); ++at) {
            if (lines[at].sender == lab::WireLine::Sender::Script)
                continue;
            const QByteArrayList& command = lines[at].arguments;
            sources.note(command);
            const std::vector<QByteArrayList> calls = callsOfScript(at);
            if (!calls.empty())
                ++found[lab::decidingLine(command, sources.of(command), calls).value_or(QByteArray())];
        }
        return found;
    }

    SystemClock clock;
    lab::LabSession session;
    lab::LabPhase phase = lab::LabPhase::Starting;
    qsizetype nextStep = 0;
    std::vector<lab::LabFrame> frames;
    std::vector<lab::WireLine> lines;
    qint64 linesLeftOut = 0;
    std::optional<lab::Outcome> outcome;
};

}  // namespace lockkeeper::test
