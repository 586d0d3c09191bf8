// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <QTextStream>

namespace lockkeeper::bench {

namespace {

// Flushes each line: a bench may take minutes.
void print(const QString& line) {
    QTextStream(stdout) << line << Qt::endl;
}

}  // namespace

Report::Report(const QString& title) {
    print(title);
}

void Report::figure(const QString& what, const QString& value, const QString& goal) {
    line(what, value, goal);
}

void Report::exact(const QString& what, const QString& value, const QString& goal, bool holds) {
    line(what, value, holds ? goal : goal + QStringLiteral("  FAILED"));
    m_failed = m_failed || !holds;
}

void Report::note(const QString& text) {
    print(QStringLiteral("    ") + text);
}

void Report::line(const QString& what, const QString& value, const QString& goal) {
    const QString beside = goal.isEmpty() ? QString() : QStringLiteral("  goal: ") + goal;
    print(QStringLiteral("  %1 %2%3").arg(what, -62).arg(value, 24).arg(beside));
}

QString text(double value, int digits) {
    return QString::number(value, 'f', digits);
}

}  // namespace lockkeeper::bench
