// SPDX-License-Identifier: Apache-2.0
#include "platform/terminationsignals.h"

#include <QSocketNotifier>

#include <sys/socket.h>
#include <unistd.h>
#include <array>
#include <csignal>

namespace lockkeeper::platform {

namespace {

// A signal handler may call very few functions; write() is one of them.
int handlerEnd = -1;
int qtEnd = -1;

constexpr std::array terminating{SIGINT, SIGTERM, SIGHUP};

struct Notice {
    int signal;
    bool fromTerminal;
};

void onSignal(int signal, siginfo_t* info, void*) {
    const Notice notice{signal, info->si_code == SI_KERNEL};
    const ssize_t written = ::write(handlerEnd, &notice, sizeof notice);
    static_cast<void>(written);
}

}  // namespace

TerminationSignals::TerminationSignals(QObject* parent) : QObject(parent) {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return;  // keep the default action: the program ends at once
    handlerEnd = ends[0];
    qtEnd = ends[1];
    auto* notifier = new QSocketNotifier(qtEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        Notice notice{};
        if (::read(qtEnd, &notice, sizeof notice) == sizeof notice)
            Q_EMIT received(notice.signal, notice.fromTerminal ? Sender::Terminal : Sender::Process);
    });
    struct sigaction action = {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (const int signal : terminating)
        ::sigaction(signal, &action, nullptr);
}

void TerminationSignals::restoreDefaults() {
    for (const int signal : terminating)
        std::signal(signal, SIG_DFL);
}

}  // namespace lockkeeper::platform

#include "platform/moc_terminationsignals.cpp"
