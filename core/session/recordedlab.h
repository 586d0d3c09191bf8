// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lab/run/labsession.h"
#include "session/opensession.h"
#include "session/sessionrecording.h"

#include <vector>

namespace lockkeeper {

// A lab session that can be recorded. Its reports are kept, within bounds, so a recording has all of them whenever it
// begins. Use once: open(), then close(). Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT RecordedLab : public OpenSession {
    Q_OBJECT
public:
    RecordedLab(const lab::LabOrder& order, Clock& clock);
    ~RecordedLab() override;

    void open() override { m_lab.open(); }
    // Ends the servers and the recording. A lab has no locks of a console.
    void close(control::OwnLocksAtExit ownLocks) override;
    // Executes a LabRequest, and what is about a recording.
    void request(OperationId id, const SessionRequest& request) override;

private:
    struct Reported {
        SteadyTime at{};
        WallTime wall{};
        lab::SharedLabUpdate update;
    };

    void record(const recording::RecordingRequest& request);
    void onChanged(const lab::SharedLabUpdate& update);
    Task<void> end();

    const lab::LabOrder m_order;
    Clock& m_clock;
    SessionRecording m_recording;
    std::vector<Reported> m_reported;
    lab::LabSession m_lab;
    bool m_isClosing = false;
    Completion<Done> m_labClosed;
    TaskScope m_scope;
};

}  // namespace lockkeeper
