// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <optional>

namespace lockkeeper::bench {

// The real program with its window and the window probe, without a display and without the user's settings and data.
class ProbedProgram {
public:
    enum class Start { Free, HeldAtFirstPaint };
    // Grouped: by the beginning of the names, below headings.
    enum class Table { Plain, Grouped };

    struct Report {
        int beats = 0;
        double longestMs = 0;     // the longest time without a heartbeat of the GUI thread
        double longestCpuMs = 0;  // the same in CPU time of that thread
        int tooLong = 0;
        int rows = 0;
    };

    // panel: the object name of a panel that is brought to the front; empty: none.
    ProbedProgram(const QString& server, Start start, Table table = Table::Plain, const QString& panel = {});
    ~ProbedProgram();
    ProbedProgram(const ProbedProgram&) = delete;
    ProbedProgram& operator=(const ProbedProgram&) = delete;

    // From the start of the process to its painted window.
    [[nodiscard]] double secondsToPaint();
    // Continues a program that is held.
    void release() { m_process.write("\n"); }
    // Waits until the table is painted with this many rows; nothing if that takes too long.
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> paintedWith(int rows,
                                                                                   std::chrono::milliseconds patience);
    // The figures since the last report.
    [[nodiscard]] Report report();
    // "VmRSS", "VmHWM", in MB.
    [[nodiscard]] double memory(const QByteArray& figure) const;
    [[nodiscard]] qint64 processId() const { return m_process.processId(); }

private:
    void saveGrouping() const;
    std::optional<QByteArrayList> next(const QByteArray& word, std::chrono::milliseconds patience);

    QTemporaryDir m_home;
    QProcess m_process;
    std::chrono::steady_clock::time_point m_started;
    QList<QByteArray> m_lines;
};

}  // namespace lockkeeper::bench
