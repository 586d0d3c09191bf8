// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/clocktimer.h"
#include "redis/connectionoptions.h"
#include "topology/ssh/askpassserver.h"
#include "topology/ssh/jumphost.h"

#include <QFileSystemWatcher>
#include <QProcess>
#include <QTemporaryDir>

#include <optional>
#include <vector>

namespace lockkeeper::topology {

// One ssh process that is logged in to a jump host and shares its connection with the SshTransports of a session. It
// starts when it is needed, and starts again after its end. It ends with this object; the system ends it if the program
// crashes. Thread: the clock's.
class LOCKKEEPER_EXPORT SshTunnel final : public QObject {
    Q_OBJECT
public:
    // askpass: a program that runs an AskpassClient; its questions are reported by asked(). Empty: ssh asks at the
    // terminal, or fails where there is none.
    SshTunnel(JumpHost jump, const QString& askpass, Clock& clock);
    ~SshTunnel() override;

    // Completes when ssh is logged in, at once if it is already. Otherwise completes with ErrorCode::Ssh and ssh's own
    // words, within a bounded time; the time that the user takes for an answer does not count. After the user has
    // refused a question, or answered it with no, open() always fails, so that the user is not asked again.
    [[nodiscard]] Completion<Done> open();
    // The answer to a question of asked(). Does nothing if the question is over.
    void answer(SshQuestionId id, const SshAnswer& answer);

    // For an orderly end: ends all processes, and completes when they have ended.
    [[nodiscard]] Completion<Done> close();

    // ---- for SshTransport ----
    // A process that is not started yet and leads to the server. Owned by this object; see retire().
    [[nodiscard]] QProcess* makeConnection(const redis::Endpoint& server);
    // Ends a process of makeConnection(), and deletes it without waiting for its end.
    static void retire(QProcess* connection);
    // The number of bytes that ssh has written to its standard error so far, and the text that it has written since a
    // given number. There it reports why a server could not be reached, but not for which connection.
    [[nodiscard]] qint64 wordsSaid() const noexcept { return m_wordsSaid; }
    [[nodiscard]] QByteArray wordsSince(qint64 said) const;
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }
    // For an operator's log and for tests; 0 while ssh does not run.
    [[nodiscard]] qint64 processId() const { return m_master.processId(); }

Q_SIGNALS:
    void asked(const lockkeeper::topology::SshQuestion& question);
    void questionOver(lockkeeper::topology::SshQuestionId id);

private:
    enum class State { Down, Starting, Up };

    void prepareMaster();
    void start();
    void checkSocket();
    void beginSession();
    [[nodiscard]] QProcess* makeProcess(const QStringList& arguments);
    void onWords();
    void onEnded();
    void onQuestionOver(SshQuestionId id);
    void endLateLogin();
    void finishStart(const Result<Done>& result);
    void endMaster();
    void checkClosed();
    [[nodiscard]] Error whyEnded() const;
    [[nodiscard]] QString controlPath() const { return m_folder.filePath(QStringLiteral("c")); }

    const JumpHost m_jump;
    Clock& m_clock;
    const Milliseconds m_loginTime;
    QTemporaryDir m_folder;
    std::unique_ptr<AskpassServer> m_askpass;  // null: ssh asks at the terminal
    QFileSystemWatcher m_watcher;              // the control socket appears once ssh is logged in
    QProcess m_master;
    State m_state = State::Down;
    std::vector<Completion<Done>> m_waiting;
    ClockTimer m_loginTimer{m_clock, [this] { endLateLogin(); }};
    std::optional<Error> m_end;      // why this object ends the process, until it has ended
    std::optional<Error> m_refusal;  // set when the user refuses or after close(); never reset
    bool m_isClosing = false;
    Completion<Done> m_closed;
    bool m_declined = false;   // a question of this start was answered with no
    Error m_failure;           // of the last start
    SteadyTime m_nextStart{};  // the earliest time of the next start
    Milliseconds m_pause{};
    QByteArray m_words;  // the last part of what ssh has written since it started
    qint64 m_wordsSaid = 0;
};

}  // namespace lockkeeper::topology
