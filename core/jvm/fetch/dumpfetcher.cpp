// SPDX-License-Identifier: Apache-2.0
#include "jvm/fetch/dumpfetcher.h"

#include "async/pause.h"
#include "jvm/dumpreader.h"
#include "jvm/fetch/fetchcause.h"
#include "jvm/fetch/programrun.h"
#include "jvm/fetch/webrequest.h"
#include "topology/ssh/askpassserver.h"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>

namespace lockkeeper::jvm {

using topology::SshQuestionId;

namespace {

using namespace std::chrono_literals;

constexpr qsizetype mostSocketLines = 1'000'000;  // bytes that ss may print
// For one program, with the time that the user takes for ssh's questions; a usual sshd allows two minutes for them.
constexpr Milliseconds programTime = 150s;
constexpr Milliseconds requestTime = 60s;
// A tunnel of the same session counts its questions from 1.
constexpr quint64 firstQuestion = quint64{1} << 32;

// `jcmd 0` writes the number of each JVM before its answer.
bool areSeveralJvms(const QByteArray& printed) {
    static const QRegularExpression number(QStringLiteral("^[0-9]{1,10}:$"), QRegularExpression::MultilineOption);
    int count = 0;
    for (const QByteArray& line : printed.split('\n'))
        count += line.size() < 20 && number.match(QString::fromLatin1(line.trimmed())).hasMatch() ? 1 : 0;
    return count > 1;
}

Error anotherUnderWay() {
    return Error(ErrorCode::Overloaded, FetchCause::Busy);
}

}  // namespace

DumpFetcher::DumpFetcher(FetchContext context, Clock& clock) : m_context(std::move(context)), m_clock(clock) {}

DumpFetcher::~DumpFetcher() {
    blockSignals(true);
    m_stop.request_stop();
    m_scope.stop();
}

bool DumpFetcher::begin(OperationId id) {
    if (m_current)
        return false;
    m_current = id;
    m_stop = std::stop_source();
    return true;
}

void DumpFetcher::cancel(OperationId id) {
    if (m_current == id)
        m_stop.request_stop();
}

// ---- the operations ----

void DumpFetcher::search(OperationId id, const ProcessSearch& search) {
    if (begin(id))
        m_scope.spawn(runSearch(id, search, m_stop.get_token()));
    else
        Q_EMIT processesFound(id, anotherUnderWay());
}

void DumpFetcher::fetch(OperationId id, const DumpOrder& order) {
    if (begin(id))
        m_scope.spawn(runFetch(id, order, m_stop.get_token()));
    else
        Q_EMIT fetched(id, anotherUnderWay());
}

Task<void> DumpFetcher::runSearch(OperationId id, ProcessSearch search, std::stop_token stop) {
    const QStringList command = commandOf(search);
    const Result<QByteArray> printed = co_await run(command, search.host.display(), mostSocketLines, stop);
    Result<QList<RemoteProcess>> found = printed ? processesIn(*printed, search.place) : printed.error();
    m_current.reset();
    Q_EMIT processesFound(id, found);
}

Task<void> DumpFetcher::runFetch(OperationId id, DumpOrder order, std::stop_token stop) {
    QByteArrayList dumps;
    Result<QByteArray> dump = co_await one(order, stop);
    if (dump && order.count == DumpCount::Twice) {
        dumps << *dump;
        Q_EMIT firstFetched(id);
        const bool isOver = co_await pauseUntil(Deadline::in(m_clock, timeBetweenDumps), stop);
        if (isOver)
            dump = co_await one(order, stop);
        else
            dump = Error(ErrorCode::Cancelled, Cause::Cancelled);
    }
    Result<QByteArrayList> answer = dumps;
    if (dump)
        answer = dumps << *dump;
    else
        answer = dump.error();
    m_current.reset();
    Q_EMIT fetched(id, answer);
}

Task<Result<QByteArray>> DumpFetcher::one(DumpOrder order, std::stop_token stop) {
    Result<QByteArray> dump = Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    if (const auto* ssh = std::get_if<SshDump>(&order.way)) {
        const QStringList command = commandOf(*ssh);
        dump = co_await run(command, ssh->host.display(), largestDumpFile, stop);
    } else if (const auto* pod = std::get_if<PodDump>(&order.way)) {
        const QStringList command = commandOf(*pod);
        dump = co_await run(command, pod->pod, largestDumpFile, stop);
        if (dump && areSeveralJvms(*dump))
            dump = Error(ErrorCode::InvalidArgument, FetchCause::SeveralJvms);
    } else if (const auto* web = std::get_if<WebDump>(&order.way)) {
        dump = co_await get(*web, stop);
    } else if (const auto* demo = std::get_if<DemoDump>(&order.way); demo && m_context.demoDump) {
        dump = m_context.demoDump(demo->client);
    }
    co_return dump;
}

// ---- one step ----

Task<Result<QByteArray>> DumpFetcher::run(QStringList command, QString host, qsizetype limit, std::stop_token stop) {
    const bool asksHere = !m_context.askpass.isEmpty();
    ProgramRun program(command, limit, asksHere ? ProgramRun::Asks::Elsewhere : ProgramRun::Asks::AtTerminal);
    const QTemporaryDir folder;
    std::unique_ptr<topology::AskpassServer> asking;
    if (asksHere && folder.isValid()) {
        asking =
            std::make_unique<topology::AskpassServer>(m_context.askpass, folder.filePath(QStringLiteral("a")), host);
        passQuestions(*asking);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        asking->addTo(environment);
        program.setEnvironment(environment);
    }
    const Completion<QByteArray> done = program.start();
    const Result<QByteArray> printed = co_await done.wait(Deadline::in(m_clock, programTime), stop);
    m_asking = nullptr;
    if (asking)
        asking->closeAll();
    for (const auto& [shown, own] : std::exchange(m_questions, {}))
        Q_EMIT questionOver(shown);
    co_return printed;
}

Task<Result<QByteArray>> DumpFetcher::get(WebDump dump, std::stop_token stop) {
    const redis::Credentials& credentials = m_context.settings.credentials;
    const bool sendsPassword = !credentials.user.isEmpty();
    if (sendsPassword && !dump.isHostConfirmed && !isListed(m_context.settings, dump.url))
        co_return Error(ErrorCode::NotPermitted, FetchCause::PasswordNotAllowed, {dump.url.host()});
    WebRequest request(dump.url, credentials, m_context.caFile, largestDumpFile);
    const Completion<QByteArray> done = request.start();
    const Result<QByteArray> body = co_await done.wait(Deadline::in(m_clock, requestTime), stop);
    co_return body;
}

// ---- questions of ssh ----

void DumpFetcher::passQuestions(topology::AskpassServer& server) {
    m_asking = &server;
    connect(&server, &topology::AskpassServer::asked, this, [this](topology::SshQuestion question) {
        const SshQuestionId shown{firstQuestion + ++m_lastQuestion};
        m_questions.emplace(shown, std::exchange(question.id, shown));
        Q_EMIT asked(question);
    });
    connect(&server, &topology::AskpassServer::over, this, [this](SshQuestionId own) {
        const auto found = std::ranges::find(m_questions, own, &decltype(m_questions)::value_type::second);
        if (found == m_questions.end())
            return;
        const SshQuestionId shown = found->first;
        m_questions.erase(found);
        Q_EMIT questionOver(shown);
    });
}

// A question that the user does not answer ends the step.
void DumpFetcher::answer(SshQuestionId id, const topology::SshAnswer& answer) {
    const auto found = m_questions.find(id);
    if (found == m_questions.end() || !m_asking)
        return;
    if (answer)
        m_asking->answer(found->second, answer);
    else
        m_stop.request_stop();
}

}  // namespace lockkeeper::jvm

#include "moc_dumpfetcher.cpp"
