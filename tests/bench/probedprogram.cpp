// SPDX-License-Identifier: Apache-2.0
#include "probedprogram.h"

#include "measuring.h"
#include "support/processmemory.h"

namespace lockkeeper::bench {

using namespace std::chrono_literals;

namespace {

using Time = std::chrono::steady_clock::time_point;

Time timeOf(const QByteArray& nanoseconds) {
    return Time(std::chrono::nanoseconds(nanoseconds.toLongLong()));
}

}  // namespace

ProbedProgram::ProbedProgram(const QString& server, Start start, Table table, const QString& panel) {
    if (table == Table::Grouped)
        saveGrouping();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("QT_QPA_GENERIC_PLUGINS"), QStringLiteral("lockkeeperwindowprobe"));
    environment.insert(QStringLiteral("QT_PLUGIN_PATH"), QStringLiteral(LOCKKEEPER_BENCH_PLUGINS));
    for (const char* folder : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        environment.insert(QString::fromLatin1(folder), m_home.path());
    if (start == Start::HeldAtFirstPaint)
        environment.insert(QStringLiteral("LOCKKEEPER_PROBE_HOLD"), QStringLiteral("1"));
    if (!panel.isEmpty())
        environment.insert(QStringLiteral("LOCKKEEPER_PROBE_PANEL"), panel);
    m_process.setProcessEnvironment(environment);
    m_process.setStandardErrorFile(m_home.filePath(QStringLiteral("stderr")));
    m_started = std::chrono::steady_clock::now();
    m_process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper"), {server});
}

// Writes the grouping into the settings, as the window saves it.
void ProbedProgram::saveGrouping() const {
    if (!QDir(m_home.path()).mkpath(QStringLiteral("lockkeeper")))
        giveUp(QStringLiteral("no folder for the settings"));
    QFile settings(m_home.filePath(QStringLiteral("lockkeeper/lockkeeper.conf")));
    if (!settings.open(QIODevice::WriteOnly) || settings.write("[table]\ngroupBy=prefix\ngroupsExpanded=true\n") < 0)
        giveUp(settings.errorString());
}

ProbedProgram::~ProbedProgram() {
    m_process.terminate();
    if (!m_process.waitForFinished(30000))
        m_process.kill();
    m_process.waitForFinished();
    QFile complaints(m_home.filePath(QStringLiteral("stderr")));
    if (m_process.exitCode() != 0 && complaints.open(QIODevice::ReadOnly))
        giveUp(QString::fromUtf8(complaints.readAll()));
}

double ProbedProgram::secondsToPaint() {
    const std::optional<QByteArrayList> painted = next("painted", 1min);
    if (!painted)
        giveUp(QStringLiteral("the window is not painted"));
    return std::chrono::duration<double>(timeOf(painted->value(1)) - m_started).count();
}

std::optional<Time> ProbedProgram::paintedWith(int rows, std::chrono::milliseconds patience) {
    const Time start = std::chrono::steady_clock::now();
    while (const std::optional<QByteArrayList> words = next("rows", patience)) {
        if (words->value(1).toInt() >= rows)
            return timeOf(words->value(3));
        if (std::chrono::steady_clock::now() - start > patience)
            break;
    }
    return std::nullopt;
}

ProbedProgram::Report ProbedProgram::report() {
    m_process.write("report\n");
    const std::optional<QByteArrayList> words = next("beats", 1min);
    if (!words)
        giveUp(QStringLiteral("the window does not answer"));
    const auto milliseconds = [&](qsizetype at) { return words->value(at).toDouble() / 1e6; };
    return {words->value(1).toInt(), milliseconds(3), milliseconds(5), words->value(7).toInt(),
            words->value(9).toInt()};
}

double ProbedProgram::memory(const QByteArray& figure) const {
    const std::optional<double> megabytes = test::memoryOf(m_process.processId(), figure);
    if (!megabytes)
        giveUp(QStringLiteral("the program has ended"));
    return *megabytes;
}

// The next line that begins with this word; other lines before it are skipped.
std::optional<QByteArrayList> ProbedProgram::next(const QByteArray& word, std::chrono::milliseconds patience) {
    const auto takeLine = [&] {
        while (m_process.canReadLine())
            m_lines.append(m_process.readLine().trimmed());
        while (!m_lines.isEmpty() && !m_lines.first().startsWith(word))
            m_lines.removeFirst();
        return !m_lines.isEmpty();
    };
    if (!runUntil(takeLine, patience))
        return std::nullopt;
    return m_lines.takeFirst().split(' ');
}

}  // namespace lockkeeper::bench
