#pragma once

#include "engine/engine.h"

#include <QTimer>

class QWidget;

namespace lockkeeper::app {

// --screenshot: lets the window live for some seconds after the first whole sweep, so that there is something to see, saves its
// picture, and ends the program. This is how the README's picture is made.
class ScreenshotRun : public QObject {
    Q_OBJECT
public:
    ScreenshotRun(Engine& engine, QWidget& window, const QString& file, QObject* parent = nullptr);

Q_SIGNALS:
    // 0 when the picture is there, else 1.
    void finished(int exitCode);

private:
    void onBatch(const monitor::MonitorBatch& batch);
    void save();

    Engine& m_engine;
    QWidget& m_window;
    const QString m_file;
    QTimer m_settle;
    int m_exitCode = 1;
};

}  // namespace lockkeeper::app
