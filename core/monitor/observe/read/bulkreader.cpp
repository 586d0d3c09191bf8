// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/bulkreader.h"

#include "redis/replyerrors.h"

#include <QScopeGuard>

namespace lockkeeper::monitor {

namespace {

constexpr qsizetype readsTogether = 64;

}  // namespace

// Reads that were started together.
struct BulkReader::Round {
    Take take;
    qsizetype open = 0;
    End end = End::Whole;
    Completion<Done> over;

    void finishOne(const LockName& name, const Result<LockReading>& reading) {
        if (reading && take)
            take(name, *reading);
        else if (!reading && redis::isWithoutReply(reading.error()))
            end = End::Broken;
        if (--open == 0)
            over.complete(Done());
    }
};

Task<BulkReader::End> BulkReader::read(QList<LockName> names, Take take, std::stop_token stop) {
    for (qsizetype first = 0; first < names.size(); first += readsTogether) {
        const End end = co_await readSome(names.mid(first, readsTogether), take, stop);
        if (end == End::Broken)
            co_return end;
    }
    co_return End::Whole;
}

Task<BulkReader::End> BulkReader::readSome(QList<LockName> names, Take take, std::stop_token stop) {
    // All turns are requested together. One by one, each would queue behind all waiting reads of the observer.
    std::vector<Completion<Done>> turns;
    for (qsizetype i = 0; i < names.size(); ++i)
        turns.push_back(m_budget.take());
    const auto round = std::make_shared<Round>();
    round->take = std::move(take);
    round->open = names.size();
    const auto dropTake = qScopeGuard([round] { round->take = nullptr; });
    for (qsizetype i = 0; i < names.size(); ++i) {
        const Result<Done> turn = co_await turns[size_t(i)].wait(Deadline::never(m_clock), stop);
        if (!turn)
            co_return End::Broken;
        m_reader.read(names[i]).then(
            [round, name = names[i]](const Result<LockReading>& reading) { round->finishOne(name, reading); });
    }
    const Completion<Done> over = round->over;
    const Result<Done> allAnswered = co_await over.wait(Deadline::never(m_clock), stop);
    co_return allAnswered ? round->end : End::Broken;
}

}  // namespace lockkeeper::monitor
