// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "profile/dumpsettings.h"
#include "topology/ssh/jumphost.h"

#include <QHostAddress>
#include <QUrl>

#include <variant>

// What is going to be done to get a thread dump, as values: they are shown before anything runs. No shell of this
// machine takes part.
namespace lockkeeper::jvm {

// Where a connection of the client comes from, as the server sees it.
struct ClientPlace {
    QHostAddress host;
    quint16 port = 0;

    // Reads "10.0.0.7:53422" and "[::1]:53422", as MONITOR has them. Nothing for any other text: only a parsed address
    // becomes a part of a command or a URL.
    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT static std::optional<ClientPlace> parse(const QString& text);

    friend bool operator==(const ClientPlace&, const ClientPlace&) = default;
};

// A process of the client's machine, as ss names it.
struct RemoteProcess {
    qint64 id = 0;
    QString name;
    qint64 user = 0;  // its number

    friend bool operator==(const RemoteProcess&, const RemoteProcess&) = default;
};

// Lists the processes that have a connection from the port.
struct ProcessSearch {
    topology::JumpHost host;
    ClientPlace place;
    bool usesSudo = false;

    friend bool operator==(const ProcessSearch&, const ProcessSearch&) = default;
};

struct SshDump {
    topology::JumpHost host;
    RemoteProcess process;  // that the user has confirmed
    bool usesSudo = false;

    friend bool operator==(const SshDump&, const SshDump&) = default;
};

struct PodDump {
    QString pod;
    QString kubeNamespace;
    QString container;

    friend bool operator==(const PodDump&, const PodDump&) = default;
};

struct WebDump {
    QUrl url;
    // The user has confirmed that the password may go to the host of the URL. The session has the user and the
    // password, and the hosts that need no question.
    bool isHostConfirmed = false;

    friend bool operator==(const WebDump&, const WebDump&) = default;
};

// The scripted dump of a client of the demo.
struct DemoDump {
    ClientId client;

    friend bool operator==(const DemoDump&, const DemoDump&) = default;
};

enum class DumpCount { Once, Twice };

// A dump to take, for a session. Twice: again after timeBetweenDumps.
struct DumpOrder {
    std::variant<DemoDump, SshDump, PodDump, WebDump> way;
    DumpCount count = DumpCount::Once;

    friend bool operator==(const DumpOrder&, const DumpOrder&) = default;
};

constexpr std::chrono::seconds timeBetweenDumps{10};

// ---- from what the user has set ----
// place: nothing if it is not known. Errors: InvalidArgument with a FetchCause.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<WebDump> webDumpOf(const profile::DumpSettings& settings,
                                                                  const std::optional<ClientPlace>& place);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<ProcessSearch> processSearchOf(const profile::DumpSettings& settings,
                                                                              const std::optional<ClientPlace>& place);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<PodDump> podDumpOf(const profile::DumpSettings& settings);
// Refuses a process that is not named java.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<SshDump> sshDumpOf(const ProcessSearch& search,
                                                                  const RemoteProcess& process);

// Whether the settings may send the password to the host of this URL without a question.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isListed(const profile::DumpSettings& settings, const QUrl& url);
// Of the local link, of a cloud's metadata, and those that name no single machine.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isForbidden(const QHostAddress& address);

// ---- the exact commands: the program, then its arguments ----
// The words after the host are constant apart from digits.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList commandOf(const ProcessSearch& search);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList commandOf(const SshDump& dump);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList commandOf(const PodDump& dump);
// The same for the hand; it asks for the password. The program itself does not run curl.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList commandOf(const WebDump& dump, const QString& user);
// As a line for a shell of POSIX, to be copied.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString shellLine(const QStringList& command);

// The processes in what the command of a ProcessSearch has printed: each one once. Only those whose socket has the
// address of the client, too: behind NAT the port may be that of another connection.
// Errors: InvalidArgument with FetchCause::NoSuchPort or ProcessHidden.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<QList<RemoteProcess>> processesIn(const QByteArray& printed,
                                                                                 const ClientPlace& place);

}  // namespace lockkeeper::jvm
