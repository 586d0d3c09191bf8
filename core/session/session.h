// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "control/check/serverchecker.h"
#include "history/recorder.h"
#include "jvm/fetch/dumpfetcher.h"
#include "monitor/analyse/who/holderfinder.h"
#include "monitor/monitor.h"
#include "profile/connectionprofile.h"
#include "recording/monitortrace/monitorrecorder.h"
#include "session/armedconsole.h"
#include "session/demoserver.h"
#include "session/opensession.h"
#include "session/sessionrecording.h"
#include "session/sleepwatch.h"
#include "topology/route.h"

namespace lockkeeper {

// The target of a session: a server of the user, or the demo's own server.
struct SessionTarget {
    enum class Kind { Server, Demo };
    Kind kind = Kind::Server;
    profile::ConnectionProfile profile;  // Demo: only its access is used
    profile::ProfileLabel label;         // of a saved connection
    QList<LockName> knownNames;
    QString askpass;                                       // see topology::Route
    std::optional<recording::RecordingRequest> recording;  // a recording from the beginning of the session
};

// One connection of the user, watched and operated: its monitor, console, holder finder and recorder, and for the demo
// its server. Only the console writes, and it exists only while the session is armed. Use once: open(), then close().
// Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Session : public OpenSession {
    Q_OBJECT
public:
    // history: null if nothing is kept. audit: for force-releases. Both must outlive the session; the demo uses
    // neither.
    Session(SessionTarget target, monitor::MonitorOptions monitorOptions, history::HistoryFile* history,
            control::AuditLog& audit, Clock& clock);
    ~Session() override;

    void open() override;
    // Releases own locks if wanted, and disconnects.
    void close(control::OwnLocksAtExit ownLocks) override;
    void request(OperationId id, const SessionRequest& request) override;

private:
    struct Execution;

    template <typename Report, typename Sender, typename Signal>
    void pass(const Sender& sender, Signal signal);
    Task<void> connectToTarget();
    Task<void> prepare();
    Task<void> disconnectFromTarget(control::OwnLocksAtExit ownLocks);
    Task<Result<Done>> openTunnel();
    Task<void> closeTunnel();
    Task<void> loadHistory();
    void watch(redis::ConnectionOptions options);
    Task<void> checkServer();
    [[nodiscard]] jvm::DumpFetcher& dumpFetcher();
    void makeConsole(redis::ConnectionOptions options);
    [[nodiscard]] control::AuditPlace auditPlace() const;
    void onMonitorStatus(const monitor::MonitorStatus& status);
    void noteSleep(Milliseconds time);
    void endWatching();
    void endAttempts();
    void noteRole(const redis::ServerInfo& server, ConnectionStatus& status);
    void setLabel(const profile::ProfileLabel& label);
    void record(const recording::RecordingRequest& request);
    void onBatch(const monitor::SharedBatch& batch);
    void onRecordingChanged(const recording::RecordingStatus& status);
    void keep(const monitor::SharedBatch& batch);
    void recallHolds(const monitor::MonitorBatch& batch);
    void onForceReleased(const monitor::LockSnapshot& broken);
    void onMasterChanged(const redis::Endpoint& master);
    void endWith(ConnectionPhase phase, const std::optional<Error>& error = {});
    void setStatus(const ConnectionStatus& status);

    SessionTarget m_target;
    monitor::MonitorOptions m_monitorOptions;
    control::AuditLog& m_audit;
    Clock& m_clock;
    monitor::RememberedHolds m_remembered;  // from the history, until the monitor has it
    std::optional<WallTime> m_pastUntil;    // the end of what earlier sessions have recorded, until it is recalled
    std::unique_ptr<history::Recorder> m_recorder;  // null if there is no file to keep events in
    SessionRecording m_recording;
    DemoServer m_demo;                         // runs only if the session is the demo's
    std::unique_ptr<topology::Route> m_route;  // outlives the connections of the members below
    std::unique_ptr<monitor::Monitor> m_monitor;
    std::unique_ptr<ArmedConsole> m_console;
    std::unique_ptr<monitor::HolderFinder> m_finder;
    std::unique_ptr<jvm::DumpFetcher> m_dumps;  // made for the first request; needs no connection
    std::unique_ptr<recording::MonitorRecorder> m_capture;
    SleepWatch m_sleep;
    ConnectionStatus m_status;
    BatchRelay m_relay;
    bool m_wasArmed = false;     // the demo is armed automatically, once
    std::stop_source m_closing;  // ends the waits of open()
    // For checks of the server; nothing while there is no route.
    std::optional<control::CheckedUsers> m_checkedUsers;
    std::stop_source m_checks;
    Completion<Done> m_prepared;  // completes at the end of open(), also after a failure
    TaskScope m_scope;
};

}  // namespace lockkeeper
