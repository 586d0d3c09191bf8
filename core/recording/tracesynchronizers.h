// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/synchronizer.h"
#include "monitor/observe/read/synchronizerdecoder.h"

#include <QJsonObject>
#include <QMap>
#include <QSet>
#include <QString>

namespace lockkeeper::recording {

// The semaphores and latches of a scenario as in clienttrace.h: as of a server, those that clients wait for. The scenario
// has the channels on which they wait, but not how many they are: that follows from the texts of its steps, and is 1 where they
// do not say it. Nor has it every end of a lease: then the leases are only counted.
class TraceSynchronizers {
public:
    // step: the next one of the scenario. at: when its keys were read.
    [[nodiscard]] monitor::SynchronizerReading after(const QJsonObject& step, SteadyTime at, WallTime wall);

private:
    // By the name that their channel most likely is of.
    using Channels = QMap<LockName, monitor::SynchronizerChannel>;

    void followClients(const QJsonObject& step, const Channels& channels);
    [[nodiscard]] monitor::Synchronizer read(const QJsonObject& keys, LockName name, const monitor::SynchronizerChannel& channel,
                                             SteadyTime at, WallTime wall) const;

    QMap<LockName, QSet<QString>> m_waiting;  // by name: the letters of the clients
    std::vector<monitor::Synchronizer> m_last;
};

}  // namespace lockkeeper::recording
