#include "app/terminationsignals.h"

#include <QSocketNotifier>

#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace lockkeeper::app {

namespace {

// A signal handler may do next to nothing; it may write a byte.
int handlerEnd = -1;
int qtEnd = -1;

constexpr int terminating[] = {SIGINT, SIGTERM, SIGHUP};

void onSignal(int) {
    const char byte = 1;
    const ssize_t written = ::write(handlerEnd, &byte, 1);
    static_cast<void>(written);
}

}  // namespace

TerminationSignals::TerminationSignals(QObject* parent) : QObject(parent) {
    int ends[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;  // the default action stays: the program ends at once
    handlerEnd = ends[0];
    qtEnd = ends[1];
    auto* notifier = new QSocketNotifier(qtEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &TerminationSignals::onReadable);
    for (const int signal : terminating)
        std::signal(signal, onSignal);
}

void TerminationSignals::onReadable() {
    char byte = 0;
    const ssize_t got = ::read(qtEnd, &byte, 1);
    static_cast<void>(got);
    for (const int signal : terminating)
        std::signal(signal, SIG_DFL);
    Q_EMIT received();
}

}  // namespace lockkeeper::app
