// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <functional>

namespace lockkeeper::recording {

// Cuts a text into the lines that MONITOR has printed, and those of anything else. The text may be quoted ("> ", " * ",
// "-- "), and lines of MONITOR may be wrapped by a terminal. The text comes in chunks of any size; the result does not
// depend on them. Memory is bounded: of a longer line only the first part is kept. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT TraceLines {
public:
    enum class Kind { Monitor, Other };
    // line: valid during the call, without its end and without what quotes it. A line of MONITOR begins with its time.
    using Sink = std::function<void(QByteArrayView line, Kind kind)>;

    void feed(QByteArrayView chunk, const Sink& sink);
    // The text has ended.
    void end(const Sink& sink);

    // Of a longer line, wrapped or not, the rest is left out.
    static constexpr qsizetype longestLine = 2 * 1024 * 1024;

private:
    void addBytes(QByteArrayView bytes);
    void endLine(const Sink& sink);
    void begin(QByteArrayView line, qsizetype headAt);
    [[nodiscard]] bool resume(QByteArrayView line);
    [[nodiscard]] QByteArrayView withoutQuotation(QByteArrayView line) const;
    void append(QByteArrayView text);
    void flush(const Sink& sink);

    QByteArray m_line;    // the present line of the text, up to the end of the chunk
    QByteArray m_entry;   // the present line of MONITOR, with what a terminal has wrapped so far; empty: none
    QByteArray m_prefix;  // what quotes it
    bool m_isInQuotes = false;
    bool m_isEscaped = false;
};

// Where a line of MONITOR begins in this line of a text; -1 if it is none. What quotes it stands before.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT qsizetype monitorHeadIn(QByteArrayView line);

}  // namespace lockkeeper::recording
