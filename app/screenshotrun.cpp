#include "app/screenshotrun.h"

#include "ui/screenshot.h"

#include <QWidget>

#include <cstdio>

namespace lockkeeper::app {

using namespace std::chrono_literals;

ScreenshotRun::ScreenshotRun(Engine& engine, QWidget& window, const QString& file, QObject* parent)
    : QObject(parent), m_engine(engine), m_window(window), m_file(file) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(8s);
    connect(&m_settle, &QTimer::timeout, this, &ScreenshotRun::save);
    connect(&m_engine, &Engine::batchReady, this, &ScreenshotRun::onBatch);
    connect(&m_engine, &Engine::connectionChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase == ConnectionPhase::Failed)
            m_settle.start();
    });
    connect(&m_engine, &Engine::shutDownFinished, this, [this] { Q_EMIT finished(m_exitCode); });
}

void ScreenshotRun::onBatch(const monitor::MonitorBatch& batch) {
    const auto isSweep = [](const monitor::LockEvent& event) { return event.type == monitor::EventType::Swept; };
    if (!m_settle.isActive() && std::any_of(batch.events.begin(), batch.events.end(), isSweep))
        m_settle.start();
}

void ScreenshotRun::save() {
    disconnect(&m_engine, &Engine::batchReady, this, nullptr);
    if (ui::saveScreenshot(m_window, m_file))
        m_exitCode = 0;
    else
        std::fprintf(stderr, "lockkeeper: cannot write %s\n", qPrintable(m_file));
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

}  // namespace lockkeeper::app
