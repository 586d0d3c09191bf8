#include "monitor/read/bulkreader.h"

namespace lockkeeper::monitor {

namespace {

constexpr qsizetype readsInFlight = 64;

bool endsAll(const Error& error) {
    return error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Cancelled;
}

}  // namespace

Task<BulkReader::End> BulkReader::read(QList<LockName> names, Take take, std::stop_token stop) {
    for (qsizetype first = 0; first < names.size(); first += readsInFlight) {
        const QList<LockName> some = names.mid(first, readsInFlight);
        // All turns are asked for at once: one after the other they would each queue behind every look of the
        // observer's.
        std::vector<Completion<Done>> turns;
        for (qsizetype i = 0; i < some.size(); ++i)
            turns.push_back(m_budget.take());
        std::vector<Completion<LockReading>> answers;
        for (qsizetype i = 0; i < some.size(); ++i) {
            const Result<Done> turn = co_await turns[size_t(i)].wait(Deadline::never(m_clock), stop);
            if (!turn)
                co_return End::Broken;
            answers.push_back(m_reader.read(some[i]));
        }
        for (qsizetype i = 0; i < some.size(); ++i) {
            const Result<LockReading> reading = co_await answers[size_t(i)].wait(Deadline::never(m_clock), stop);
            if (reading)
                take(some[i], *reading);
            else if (endsAll(reading.error()))
                co_return End::Broken;
        }
    }
    co_return End::Whole;
}

}  // namespace lockkeeper::monitor
