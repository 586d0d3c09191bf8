// SPDX-License-Identifier: Apache-2.0
#include "windowprobe.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QGenericPlugin>

#include <unistd.h>
#include <cstdio>
#include <ctime>

namespace lockkeeper::bench {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds frame = 33ms;

long long steadyNow() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

std::chrono::nanoseconds threadCpu() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Blocks until the bench has written a line.
void takeLine() {
    char letter = 0;
    while (::read(STDIN_FILENO, &letter, 1) == 1 && letter != '\n') {
    }
}

void bringToFront(const QString& panel) {
    for (const QWidget* window : QApplication::topLevelWidgets()) {
        if (auto* dock = window->findChild<QDockWidget*>(panel)) {
            dock->show();
            dock->raise();
            return;
        }
    }
    qFatal("no panel has this name: %s", qPrintable(panel));
}

}  // namespace

WindowProbe::WindowProbe() : m_input(STDIN_FILENO, QSocketNotifier::Read) {
    qApp->installEventFilter(this);
    connect(&m_heart, &QTimer::timeout, this, &WindowProbe::beat);
    connect(&m_input, &QSocketNotifier::activated, this, &WindowProbe::answer);
    m_heart.setTimerType(Qt::PreciseTimer);
}

// Reports in the next turn of the event loop: painting has ended only after the event that requests it.
bool WindowProbe::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Paint)
        return false;
    if (!m_painted && watched->objectName() == QLatin1String("mainWindow")) {
        m_painted = true;
        QMetaObject::invokeMethod(this, &WindowProbe::onFirstPaint, Qt::QueuedConnection);
    } else if (m_table && watched == m_table->viewport() && m_table->model()->rowCount() > m_mostRows) {
        m_mostRows = m_table->model()->rowCount();
        QMetaObject::invokeMethod(this, &WindowProbe::onTablePaint, Qt::QueuedConnection);
    }
    return false;
}

void WindowProbe::onFirstPaint() {
    std::printf("painted %lld\n", steadyNow());
    std::fflush(stdout);
    for (const QWidget* window : QApplication::topLevelWidgets()) {
        if (auto* table = window->findChild<QAbstractItemView*>(QStringLiteral("lockTable")))
            m_table = table;
    }
    if (const QString panel = qEnvironmentVariable("LOCKKEEPER_PROBE_PANEL"); !panel.isEmpty())
        bringToFront(panel);
    if (qEnvironmentVariableIsSet("LOCKKEEPER_PROBE_HOLD"))
        takeLine();
    m_lastBeat = std::chrono::steady_clock::now();
    m_lastCpu = threadCpu();
    m_heart.start(1ms);
}

void WindowProbe::onTablePaint() {
    std::printf("rows %d painted %lld\n", m_mostRows, steadyNow());
    std::fflush(stdout);
}

void WindowProbe::answer() {
    takeLine();
    std::printf("beats %d longest %lld cpu %lld over %d rows %d\n", m_beats, static_cast<long long>(m_longest.count()),
                static_cast<long long>(m_longestCpu.count()), m_tooLong, m_table ? m_table->model()->rowCount() : 0);
    std::fflush(stdout);
    m_longest = m_longestCpu = 0ns;
    m_beats = m_tooLong = 0;
}

void WindowProbe::beat() {
    const auto now = std::chrono::steady_clock::now();
    const Nanoseconds cpu = threadCpu();
    const Nanoseconds gap = now - std::exchange(m_lastBeat, now);
    m_longest = std::max(m_longest, gap);
    m_longestCpu = std::max(m_longestCpu, cpu - std::exchange(m_lastCpu, cpu));
    m_tooLong += gap > frame ? 1 : 0;
    ++m_beats;
}

class WindowProbePlugin : public QGenericPlugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "windowprobe.json")
public:
    QObject* create(const QString& name, const QString&) override {
        return name == QLatin1String("lockkeeperwindowprobe") ? new WindowProbe : nullptr;
    }
};

}  // namespace lockkeeper::bench

#include "windowprobe.moc"
