// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/holderthread.h"
#include "locks/namemapper.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/monitorbatch.h"

#include <QByteArray>
#include <QHash>

namespace lockkeeper::app {

// A client and the locks that it holds or waits for, by name.
struct ListedClient {
    monitor::SharedClient client;
    QList<LockName> locks;
};

// The lines of `watch`, live or replayed: of each batch what has changed since the one before. Thread: one.
class WatchPrinter {
public:
    enum class Form { Text, Json };

    // aliasOf: used in the JSON lines. names: of the program that uses the locks.
    WatchPrinter(Form form, monitor::AliasOf aliasOf, locks::NameMapper names = {})
        : m_form(form), m_aliasOf(std::move(aliasOf)), m_names(std::move(names)) {}

    void add(const monitor::MonitorBatch& batch);
    void add(const monitor::LockEvent& event);
    // A table, or a line each.
    void add(const std::vector<ListedClient>& clients, WallTime at);
    // What a thread dump shows: of which client it is, and then a line for each holder and waiter.
    void add(const jvm::DumpReading& reading, const std::vector<jvm::ThreadDump>& dumps);
    // All lines since the last call.
    [[nodiscard]] QByteArray take() { return std::exchange(m_output, {}); }

private:
    void addStats(const monitor::MonitorStats& stats, WallTime at);
    void addClients(const monitor::MonitorBatch& batch);
    void addSynchronizers(const monitor::SynchronizerReading& reading, WallTime at);
    void addLitter(const monitor::MonitorStats& stats, WallTime at);
    // The name that the program has, and the key.
    [[nodiscard]] QString shownName(const LockName& key) const;
    void addJson(const QByteArray& line);
    void addText(const QString& line);
    [[nodiscard]] bool isJson() const { return m_form == Form::Json; }

    const Form m_form;
    const monitor::AliasOf m_aliasOf;
    const locks::NameMapper m_names;
    QByteArray m_output;
    monitor::MonitorStats m_stats;                        // as printed in the last lines about the source and the sweep
    monitor::SynchronizerReading m_synchronizers;         // as last printed
    QHash<ClientId, monitor::DiagnosisKind> m_diagnosed;  // clients, with the diagnosis that was printed last
};

}  // namespace lockkeeper::app
