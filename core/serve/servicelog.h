// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <vector>

namespace lockkeeper::serve {

enum class LogLevel { Debug, Info, Warning, Error };
enum class LogForm { Logfmt, Json };
// What receives the lines. The journal has times of its own, and takes the level from "<6>" in front of a line.
enum class LogReceiver { Terminal, Journal };

[[nodiscard]] QString wordFor(LogLevel level);
[[nodiscard]] QString wordFor(LogForm form);

struct LogField {
    const char* name;
    QString value;
};

// Lines for programs that collect logs: one a time, each with an event, which is a stable word, and fields. No value
// has a secret. Thread: one.
class ServiceLog {
public:
    struct Form {
        LogForm form = LogForm::Logfmt;
        LogLevel least = LogLevel::Info;
        LogReceiver receiver = LogReceiver::Terminal;
    };
    using Write = std::function<void(const QByteArray& line)>;  // with its end

    ServiceLog(Form form, Clock& clock, Write write);

    void setForm(Form form) { m_form = form; }
    [[nodiscard]] Form form() const noexcept { return m_form; }
    void write(LogLevel level, const char* event, const std::vector<LogField>& fields = {}) const;

private:
    Form m_form;
    Clock& m_clock;
    Write m_write;
};

}  // namespace lockkeeper::serve
