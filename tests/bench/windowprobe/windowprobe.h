// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemView>
#include <QPointer>
#include <QSocketNotifier>
#include <QTimer>

#include <chrono>

namespace lockkeeper::bench {

// Measures the real program inside its GUI thread. It is loaded as a Qt plugin (QT_QPA_GENERIC_PLUGINS), so that the
// program contains no code for benches. Writes lines to the standard output; times are nanoseconds of the steady clock:
//
//   painted TIME            the window has been painted for the first time
//   rows N painted TIME     the table, with more rows than ever before
//   beats N longest NS cpu NS over N rows N
//
// The last line answers a line "report" on the standard input and then restarts the counters: heartbeats of the event
// loop since the last report; the longest time without one, and the longest CPU time between two; how many gaps were
// longer than 33 ms. With LOCKKEEPER_PROBE_HOLD in the environment the GUI thread blocks from the first paint until a
// line arrives, as on a busy desktop.
class WindowProbe : public QObject {
    Q_OBJECT
public:
    WindowProbe();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using Nanoseconds = std::chrono::nanoseconds;

    void onFirstPaint();
    void onTablePaint();
    void answer();
    void beat();

    bool m_painted = false;
    QPointer<QAbstractItemView> m_table;
    int m_mostRows = 0;
    QTimer m_heart;
    QSocketNotifier m_input;
    std::chrono::steady_clock::time_point m_lastBeat;
    Nanoseconds m_lastCpu{0};
    Nanoseconds m_longest{0};
    Nanoseconds m_longestCpu{0};
    int m_beats = 0;
    int m_tooLong = 0;
};

}  // namespace lockkeeper::bench
