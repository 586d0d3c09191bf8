// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/synchronizer.h"
#include "monitor/observe/read/synchronizerdecoder.h"

#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QString>

namespace lockkeeper::recording {

// The semaphores and latches of a scenario (see clienttrace.h) that clients wait for, as a server shows them. The
// scenario has the channels on which clients wait, but not the number of these clients: it follows from the texts of
// the steps, and is 1 where they do not name it. Where ends of leases are missing, the leases are only counted.
class TraceSynchronizers {
public:
    // step: the next step of the scenario. at: when its keys were read.
    [[nodiscard]] monitor::SynchronizerReading after(const QJsonObject& step, SteadyTime at, WallTime wall);

private:
    // By the most likely name of the channel.
    using Channels = QMap<LockName, monitor::SynchronizerChannel>;

    void followClients(const QJsonObject& step, const Channels& channels);
    [[nodiscard]] monitor::Synchronizer read(const QJsonObject& keys, LockName name,
                                             const monitor::SynchronizerChannel& channel, SteadyTime at,
                                             WallTime wall) const;

    QMap<LockName, QSet<QString>> m_waiting;  // by name: the letters of the clients
    std::vector<monitor::Synchronizer> m_last;
};

}  // namespace lockkeeper::recording
