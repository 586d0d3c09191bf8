// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lab/run/labsession.h"
#include "lockkeeper_monitor_export.h"
#include "session/sessionrecording.h"

#include <vector>

namespace lockkeeper {

// A lab session that can be recorded. Its reports are kept, within bounds, so a recording has all of them whenever it
// begins. Use once: open(), then close(). Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT RecordedLab : public QObject {
    Q_OBJECT
public:
    RecordedLab(const lab::LabOrder& order, Clock& clock);
    ~RecordedLab() override;

    void open() { m_lab.open(); }
    // Ends the servers and the recording; closed() follows within a bounded time.
    void close();
    void request(const lab::LabRequest& request) { m_lab.request(request); }
    // See Engine.
    void record(const recording::RecordingRequest& request);
    void stopRecording();

Q_SIGNALS:
    void changed(const lockkeeper::lab::SharedLabUpdate& update);
    void recordingChanged(const lockkeeper::recording::RecordingStatus& status);
    void closed();

private:
    struct Reported {
        SteadyTime at{};
        WallTime wall{};
        lab::SharedLabUpdate update;
    };

    void onChanged(const lab::SharedLabUpdate& update);
    Task<void> end();

    const lab::LabOrder m_order;
    Clock& m_clock;
    SessionRecording m_recording;
    std::vector<Reported> m_reported;
    lab::LabSession m_lab;
    bool m_isClosing = false;
    TaskScope m_scope;
};

}  // namespace lockkeeper
