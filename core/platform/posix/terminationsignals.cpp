// SPDX-License-Identifier: Apache-2.0
#include "platform/terminationsignals.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace lockkeeper::platform {

namespace {

constexpr std::array ending{SIGINT, SIGTERM, SIGHUP};
constexpr std::array forCommand{SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP, SIGCONT};
constexpr std::array toPassOn{SIGUSR1, SIGUSR2, SIGALRM};

// A signal handler may do very little. It notes the signal, and a byte in a pipe wakes the event loop. The pipe never
// blocks: when it is full, the loop wakes up anyway.
enum class Noted : int { No, FromTerminal, FromProcess };
std::array<std::atomic<Noted>, NSIG> noted{};
static_assert(std::atomic<Noted>::is_always_lock_free);
// The last one of SIGTSTP and SIGCONT, because each cancels the other. 0: none.
std::atomic<int> stopOrGoOn = 0;
static_assert(std::atomic<int>::is_always_lock_free);
int wakeEnd = -1;
int qtEnd = -1;

void onSignal(int signal, siginfo_t* info, void*) {
    const int before = errno;
    if (signal == SIGTSTP || signal == SIGCONT)
        stopOrGoOn = signal;
    else
        noted[static_cast<size_t>(signal)] = info->si_code == SI_KERNEL ? Noted::FromTerminal : Noted::FromProcess;
    const char wake = 0;
    const ssize_t written = ::write(wakeEnd, &wake, sizeof wake);
    static_cast<void>(written);
    errno = before;
}

void take(int signal) {
    struct sigaction before = {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN)
        return;
    struct sigaction action = {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

// Whether the signal reaches all processes. The end of a terminal reaches only the leader of its session, unless
// another group was in the foreground.
bool reachesAll(int signal, Noted how) {
    return how == Noted::FromTerminal && signal != SIGHUP;
}

void emptyPipe() {
    std::array<char, 256> bytes{};
    while (::read(qtEnd, bytes.data(), bytes.size()) > 0) {
    }
}

}  // namespace

TerminationSignals::TerminationSignals(Taken taken, QObject* parent) : QObject(parent) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // keep the default action: the program ends at once
    qtEnd = ends[0];
    wakeEnd = ends[1];
    auto* notifier = new QSocketNotifier(qtEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this, taken] {
        emptyPipe();
        for (int signal = 1; signal < NSIG; ++signal) {
            const Noted how = noted[static_cast<size_t>(signal)].exchange(Noted::No);
            if (how == Noted::No)
                continue;
            if (std::ranges::count(toPassOn, signal) > 0)
                Q_EMIT passedOn(signal);
            else if (signal == SIGHUP && taken == Taken::ForService && how == Noted::FromProcess)
                Q_EMIT reloadRequested();
            else
                Q_EMIT received(signal, reachesAll(signal, how) ? Sender::Terminal : Sender::Process);
        }
        const int last = stopOrGoOn.exchange(0);
        if (last == SIGTSTP)
            Q_EMIT stopRequested();
        else if (last == SIGCONT)
            Q_EMIT continued();
    });
    std::ranges::for_each(ending, take);
    if (taken == Taken::ForCommand) {
        std::ranges::for_each(forCommand, take);
    }
    if (taken != Taken::Ending)
        std::signal(SIGPIPE, SIG_IGN);  // QProcess gives its children the usual action
}

bool TerminationSignals::arePending() {
    return stopOrGoOn != 0 ||
           std::ranges::any_of(noted, [](const std::atomic<Noted>& how) { return how != Noted::No; });
}

void TerminationSignals::stopProgram() {
    if (stopOrGoOn != SIGCONT)
        ::raise(SIGSTOP);
}

void TerminationSignals::restoreDefaults() {
    for (const int signal : ending)
        std::signal(signal, SIG_DFL);
}

}  // namespace lockkeeper::platform

#include "platform/moc_terminationsignals.cpp"
