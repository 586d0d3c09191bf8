// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "monitor/monitor.h"
#include "redis/sockettransport.h"
#include "support/locksnapshots.h"
#include "topology/route.h"

#include <QMap>
#include <QTest>

namespace lockkeeper::test {

// A Monitor on a real server, and everything that it has reported so far.
class MonitorProbe {
public:
    explicit MonitorProbe(const redis::ConnectionOptions& options, const monitor::MonitorOptions& monitorOptions = {})
        : MonitorProbe(options, monitorOptions, nullptr) {}
    // With a clock of the test.
    MonitorProbe(const redis::ConnectionOptions& options, const monitor::MonitorOptions& monitorOptions, Clock& clock)
        : MonitorProbe(options, monitorOptions, &clock) {}
    explicit MonitorProbe(topology::Shards& shards, const redis::ConnectionOptions& options = {})
        : m_monitor(options, shards, m_clock) {
        begin();
    }
    // Makes the monitor as a session does.
    MonitorProbe(const topology::Route& route, const redis::ConnectionOptions& options)
        : m_monitor(options, route.shards(), m_clock) {
        m_monitor.askReplicasBy(route.replicas());
        begin();
    }

    // Waits for the end of the next full sweep; false if none ends in time.
    [[nodiscard]] bool waitForSweep() {
        const quint64 before = sweeps;
        return QTest::qWaitFor([&] { return sweeps > before; }, 10000);
    }
    // The next events without sweeps and diagnoses, as "acquired alice"; fewer if no more come in time.
    [[nodiscard]] QByteArrayList next(size_t count, int milliseconds = 5000) {
        (void)QTest::qWaitFor([&] { return events.size() >= count; }, milliseconds);
        const QByteArrayList texts = described(events);
        events.clear();
        return texts;
    }
    [[nodiscard]] const monitor::LockRow* row(const QByteArray& name) const {
        const auto found = rows.constFind(name);
        return found == rows.constEnd() ? nullptr : &*found;
    }
    [[nodiscard]] monitor::Monitor& monitor() { return m_monitor; }

    std::vector<monitor::LockEvent> events;
    std::vector<monitor::LockEvent> diagnoses;  // begun and ended, in the order of arrival
    QMap<QByteArray, monitor::LockRow> rows;
    QMap<QByteArray, monitor::ClientRow> clients;  // by id
    monitor::MonitorStats stats;
    std::vector<monitor::MonitorStatus> statuses;
    quint64 sweeps = 0;
    monitor::LockEvent lastSweep;

private:
    MonitorProbe(const redis::ConnectionOptions& options, const monitor::MonitorOptions& monitorOptions, Clock* clock)
        : m_monitor(
              options, [options] { return redis::makeSocketTransport(options.endpoint); }, clock ? *clock : m_clock,
              monitorOptions) {
        begin();
    }
    void begin() {
        QObject::connect(&m_monitor, &monitor::Monitor::batchReady,
                         [this](const monitor::SharedBatch& batch) { take(*batch); });
        QObject::connect(&m_monitor, &monitor::Monitor::statusChanged,
                         [this](const monitor::MonitorStatus& status) { statuses.push_back(status); });
        m_monitor.start();
    }
    void take(const monitor::MonitorBatch& batch) {
        if (batch.reset)
            rows.clear();
        for (const monitor::SharedRow& row : batch.changed)
            rows.insert(row->lock.name.bytes(), *row);
        for (const LockName& name : batch.removed)
            rows.remove(name.bytes());
        for (const monitor::SharedClient& client : batch.clients)
            clients.insert(client->id.bytes(), *client);
        for (const ClientId& client : batch.removedClients)
            clients.remove(client.bytes());
        for (const monitor::LockEvent& event : batch.events) {
            if (event.type == monitor::EventType::Swept) {
                ++sweeps;
                lastSweep = event;
            } else if (event.diagnosis) {
                diagnoses.push_back(event);
            } else {
                events.push_back(event);
            }
        }
        if (batch.stats)
            stats = *batch.stats;
    }

    SystemClock m_clock;
    monitor::Monitor m_monitor;
};

}  // namespace lockkeeper::test
