// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "serve/message.h"

#include <QStringList>

#include <deque>

namespace lockkeeper::serve {

// The messages that the receiver has not taken, in their order, over ends of the program: a file for each one in a
// folder, written as a whole or not at all. When the disk is full, messages are kept in memory only. Bounded. Blocks
// for the disk. Thread: one.
class MessageQueue {
public:
    static constexpr size_t most = 1000;

    struct Waiting {
        Message message;
        int attempts = 0;  // those that have begun, also of earlier runs of the program
        quint64 number = 0;
        bool isOnDisk = false;
    };

    // The folder is made for its owner alone.
    explicit MessageQueue(QString folder) : m_folder(std::move(folder)) {}

    // Reads what an earlier run has left. Files that are damaged are removed; damaged() names them. Errors: Storage.
    [[nodiscard]] Result<Done> open();
    [[nodiscard]] const QStringList& damaged() const noexcept { return m_damaged; }

    // The message waits in any case. Errors: Storage, if it waits in memory only; Overloaded, if the oldest one had to
    // be given up for it, which dropped() counts.
    [[nodiscard]] Result<Done> add(const Message& message);
    [[nodiscard]] bool isEmpty() const noexcept { return m_waiting.empty(); }
    [[nodiscard]] size_t count() const noexcept { return m_waiting.size(); }
    [[nodiscard]] const std::deque<Waiting>& waiting() const noexcept { return m_waiting; }
    [[nodiscard]] const Waiting& first() const { return m_waiting.front(); }
    // An attempt to send the first one begins. Returns its number, from 1, which is on the disk before the attempt.
    int beginAttempt();
    void removeFirst();
    // It was given up: the next message says how many were.
    void dropFirst();
    // Since the last call.
    [[nodiscard]] qint64 takeDropped() { return std::exchange(m_dropped, 0); }

private:
    [[nodiscard]] QString pathOf(const Waiting& waiting) const;
    void read(const QString& name);

    const QString m_folder;
    std::deque<Waiting> m_waiting;
    quint64 m_lastNumber = 0;
    qint64 m_dropped = 0;
    QStringList m_damaged;
};

}  // namespace lockkeeper::serve
