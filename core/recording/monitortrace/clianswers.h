// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/monitortrace/tracemodel.h"

namespace lockkeeper::recording {

// Reads what redis-cli has shown of some keys, with its prompts: HGETALL, TTL, PTTL, KEYS, TYPE, GET, LRANGE, ZRANGE
// WITHSCORES. Together that is one state. Answers to other commands are skipped, and of values only those of locks are
// kept. Memory is bounded. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT CliAnswers {
public:
    // line: without its end; what quotes it may stand before.
    void feed(QByteArrayView line);
    // The text has ended.
    void end() { endAnswer(); }

    // Whether it was an answer of redis-cli at all.
    [[nodiscard]] bool isEmpty() const noexcept { return m_answers == 0; }
    // Shows the locks as of this time.
    void show(TraceModel& model, ServerTime at, TraceNotes& notes) const;

private:
    [[nodiscard]] bool readPrompt(QByteArrayView line);
    void readItem(QByteArrayView line);
    void endAnswer();
    void addPairs();
    void addTtl();

    struct Key {
        QByteArray type;  // the command that has shown it: hgetall, lrange, zrange, get
        TraceKeys::Pairs pairs;
        std::optional<ServerTime> ttl;
        bool isTtlKnown = false;
    };

    QByteArrayList m_command;  // whose answer is being read; empty: none
    QByteArrayList m_items;
    QByteArray m_prefix;
    int m_database = 0;
    QHash<TraceKey, Key> m_keys;
    quint64 m_answers = 0;
};

}  // namespace lockkeeper::recording
