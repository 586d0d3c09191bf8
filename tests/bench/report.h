#pragma once

#include <QString>

namespace lockkeeper::bench {

// What a bench prints: one line a figure, with the goal beside it, and what must hold on any machine.
class Report {
public:
    explicit Report(const QString& title);

    // Depends on the machine, so no verdict hangs on it.
    void figure(const QString& what, const QString& value, const QString& goal = QString());
    // A count that does not: when it does not hold, the bench fails.
    void exact(const QString& what, const QString& value, const QString& goal, bool holds);
    void note(const QString& text);
    [[nodiscard]] int exitCode() const noexcept { return m_failed ? 1 : 0; }

private:
    void line(const QString& what, const QString& value, const QString& goal);

    bool m_failed = false;
};

// "12.3", with so many digits behind the point.
[[nodiscard]] QString text(double value, int digits = 1);

}  // namespace lockkeeper::bench
