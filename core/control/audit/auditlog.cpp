// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditlog.h"

#include "base/logging.h"
#include "platform/username.h"

#include <QSysInfo>

#include <deque>

using namespace std::chrono_literals;

namespace lockkeeper::control {

namespace {

constexpr Milliseconds timeBetweenTries = 10s;

}  // namespace

// The part that runs on the disk's thread.
class AuditLog::Writer : public QObject {
public:
    explicit Writer(const QString& folder) : m_file(folder) {}

    Result<Done> write(AuditRecord record) {
        record.user = platform::userName();
        record.host = QSysInfo::machineHostName();
        Result<Done> written = writeLate();
        if (written)
            written = append(record);
        if (!written && record.step == AuditStep::Outcome)
            m_late.push_back(record);
        return written;
    }
    // Outcomes that could not be written before.
    Result<Done> writeLate() {
        while (!m_late.empty()) {
            const Result<Done> written = append(m_late.front());
            if (!written)
                return written;
            m_late.pop_front();
        }
        return Done();
    }
    [[nodiscard]] bool isBehind() const { return !m_late.empty(); }
    // The lines written since the last call.
    [[nodiscard]] std::vector<WrittenAuditLine> takeLines() { return std::exchange(m_lines, {}); }

private:
    Result<Done> append(const AuditRecord& record) {
        Result<WrittenAuditLine> line = m_file.append(record);
        if (!line)
            return line.error();
        m_lines.push_back(std::move(*line));
        return Done();
    }

    const AuditFile m_file;
    std::deque<AuditRecord> m_late;
    std::vector<WrittenAuditLine> m_lines;
};

AuditLog::AuditLog(const QString& folder, Clock& clock, QObject* parent)
    : QObject(parent), m_folder(folder), m_clock(clock), m_writer(new Writer(folder)) {
    m_writer->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-audit"));
    m_thread.start();
}

AuditLog::~AuditLog() {
    m_retryTimer.stop();
    // Runs after everything posted before.
    QMetaObject::invokeMethod(m_writer, [writer = m_writer] {
        if (const Result<Done> written = writer->writeLate(); !written)
            qCWarning(logEngine) << "an outcome is missing in the audit:" << written.error().text;
        delete writer;
        QThread::currentThread()->quit();
    });
    m_thread.wait();
}

Completion<Done> AuditLog::write(const AuditRecord& record) {
    const Completion<Done> answer;
    post(record, answer);
    return answer;
}

// Without a record only the late outcomes are written.
void AuditLog::post(const std::optional<AuditRecord>& record, const Completion<Done>& answer) {
    QMetaObject::invokeMethod(
        m_writer,
        [this, writer = m_writer, record, answer]() mutable {
            const Result<Done> written = record ? writer->write(*record) : writer->writeLate();
            const bool isBehind = writer->isBehind();
            // Moved, because the completion belongs to the other thread.
            QMetaObject::invokeMethod(
                this,
                [this, answer = std::move(answer), written, isBehind, lines = writer->takeLines()] {
                    if (isBehind)
                        retryLater();
                    for (const WrittenAuditLine& line : lines)
                        Q_EMIT this->written(line);
                    answer.complete(written);
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void AuditLog::retryLater() {
    if (!m_retryTimer.isRunning())
        m_retryTimer.start(timeBetweenTries);
}

}  // namespace lockkeeper::control

#include "moc_auditlog.cpp"
