// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::bench {

// The output of a bench: one line a figure with its goal, and checks that must hold on any machine.
class Report {
public:
    explicit Report(const QString& title);

    // A figure that depends on the machine; it cannot fail the bench.
    void figure(const QString& what, const QString& value, const QString& goal = QString());
    // A count that does not depend on the machine; the bench fails if `holds` is false.
    void exact(const QString& what, const QString& value, const QString& goal, bool holds);
    void note(const QString& text);
    [[nodiscard]] int exitCode() const noexcept { return m_failed ? 1 : 0; }

private:
    void line(const QString& what, const QString& value, const QString& goal);

    bool m_failed = false;
};

// "12.3", with this number of decimals.
[[nodiscard]] QString text(double value, int digits = 1);

}  // namespace lockkeeper::bench
