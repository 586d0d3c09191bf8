// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/exporterrequest.h"
#include "app/cli/forcerequest.h"
#include "app/cli/notifyrequest.h"
#include "app/cli/synchronizerrequest.h"
#include "base/ids.h"
#include "base/result.h"
#include "control/audit/readaudit.h"
#include "locks/namemapper.h"
#include "platform/guardedcommand.h"
#include "profile/configuration/redissonconfig.h"
#include "profile/storedprofile.h"
#include "recording/recordingstatus.h"

#include <QHash>
#include <QStringList>
#include <QTimeZone>

#include <functional>
#include <optional>

namespace lockkeeper::app {

// Passwords of the environment, which other users of the machine cannot read. Empty: none.
struct Passwords {
    QByteArray server;
    QByteArray sentinels;
    QByteArray key;        // the pass phrase of the client certificate's key
    QByteArray writing{};  // of the user who writes, if that is another one
    QByteArray actuator{};
};

// A configuration file of Redisson or Spring, and what the command line says about it.
struct ConfigurationRequest {
    QString path;
    QString springProfile;                        // empty: the file's own
    bool takesEnvironment = false;                // variables without a value in the file have those of the environment
    QHash<QString, QString>* standIns = nullptr;  // if set, values of the environment are replaced: by which texts, and
                                                  // for which variables
};

// What a command line may name, and the program has to look up. A program without a part is not given a command line
// that needs it: see programs.h.
struct Lookups {
    // The saved connection with that name. Errors: InvalidArgument with a sentence for stderr.
    std::function<Result<profile::StoredProfile>(const QString& name)> profileNamed;
    // The servers of a configuration. Errors: those of openConfiguration() and connectionOf().
    std::function<Result<profile::RedissonConnection>(const ConfigurationRequest& request)> redissonFile;
    std::function<bool(const QByteArray& id)> isExperiment;
    // A variable of the environment; empty if it is not set. Never of a secret.
    std::function<QString(const QString& name)> variable = nullptr;
};

// The parsed command line.
struct Arguments {
    enum class Face {
        Window,
        List,
        Watch,
        Lock,
        Semaphore,
        Latch,
        ForceRelease,
        Audit,
        Lab,
        Replay,
        Check,
        Threads,
        Explain,
        Exporter,
        Notify
    };
    enum class Source { None, Url, Demo };

    Face face = Face::Window;
    Source source = Source::None;
    profile::ConnectionProfile profile;  // Source::Url; for the demo only its access mode is used
    // --profile; `profile` has its connection, with what the other options changed. Source::Url.
    std::optional<profile::StoredProfile> saved;
    QList<profile::RedissonNote> notes;  // if the profile comes from a file of Redisson
    // Face window: a configuration whose variables or profile the user must be asked for. Source::None.
    QString redissonFile;
    bool json = false;
    bool areClientsListed = false;  // mode list: the clients in place of the locks
    std::optional<std::chrono::milliseconds> watchFor;

    // Mode lock: hold a lock while a command runs.
    enum class OnLost { Warn, Kill };
    enum class LockKind { Reentrant, Fair, Read, Write, Fenced, Spin, NonReentrant, NonReentrantFair };
    LockKind lockKind = LockKind::Reentrant;
    // As the program of the Java clients calls it. Also the name of a semaphore or a latch; also of force-release.
    LockName lockName;
    locks::NameMapper nameMapper;
    std::optional<std::chrono::milliseconds> wait;   // nothing: wait without a limit
    std::optional<std::chrono::milliseconds> lease;  // nothing: renewed by the watchdog
    std::chrono::milliseconds watchdog{30000};       // the lease that is renewed
    std::chrono::milliseconds fairWait{300000};      // how long its place in the queue of a fair lock outlives a waiter
    OnLost onLost = OnLost::Warn;
    platform::GuardedCommand::WaitFor waitFor = platform::GuardedCommand::WaitFor::Session;
    std::chrono::milliseconds grace{5000};
    QStringList command;  // program and its arguments

    // Modes semaphore and latch; they use the name, the wait and the command, too.
    SynchronizerRequest synchronizer;

    // Mode force-release, also of the words wake and set-ttl; it uses the name, too.
    ForceRequest force;

    // Mode threads: reads the locks beside a thread dump. The way to take one is in `profile`.
    struct Threads {
        QString dumpFile;  // empty: a dump is taken
        bool isFetched = false;
        bool isTwice = false;
        bool isPlanPrinted = false;      // nothing runs
        QString address;                 // of the client, as the server sees it
        std::optional<qint64> process;   // that the user has confirmed
        std::optional<ClientId> client;  // whose dump it is, if the user says so
        QStringList application;         // prefixes of the application's packages
    };
    Threads threads;

    // Mode audit.
    struct Audit {
        control::AuditFilter filter;
        bool isVerified = false;
    };
    Audit audit;

    // Mode explain. Its server, if there is one, is `profile`.
    struct Explain {
        QString path;  // empty or "-": the standard input
    };
    Explain explain;
    // Modes explain and threads: the zone of times that name none; of this machine if the user has named none.
    QTimeZone zone;
    bool isZoneGiven = false;

    ExporterRequest exporter;  // Mode exporter, with all its servers

    // Mode lab.
    struct Lab {
        enum class What { List, Show, Run };
        What what = What::List;
        QByteArray experiment;  // empty: all
        bool isWithoutCause = false;
        int stretch = 1;  // as in lab::Variation
    };
    Lab lab;

    // Mode notify, with all its servers.
    NotifyRequest notify;

    // Mode replay, with `path` the recording. Modes watch and lab: what is recorded, if there is a path. Mode window:
    // the recording to open, if there is a path.
    struct Recording : recording::RecordingRequest {
        QString saveTo;  // empty: the part is printed
        std::optional<WallTime> from;
        std::optional<WallTime> to;
    };
    Recording recording;

    QString screenshotFile;  // Mode window: save a screenshot and exit
    QString printInstead;    // --help, --version, --print-url: print this text and exit

    // `arguments` does not include the program's name. The server's password comes from the URL, else from
    // --password-file or --password-fd, else from the environment; the Sentinels' password from the environment
    // alone. Errors: InvalidArgument with a sentence for stderr.
    [[nodiscard]] static Result<Arguments> parse(const QStringList& arguments, const Passwords& fromEnvironment,
                                                 const Lookups& lookups);
};

}  // namespace lockkeeper::app
