// SPDX-License-Identifier: Apache-2.0
#include "app/cli/synchronizerrequest.h"

#include "app/cli/commandline.h"

#include <limits>

namespace lockkeeper::app {

namespace {

using Request = SynchronizerRequest;

// What follows the word of an action on the command line.
enum class Operand { None, Number, OptionalCount, Permit };

struct Verb {
    const char* word;
    Request::Of of;
    Request::Action action;
    Operand operand;
};

constexpr std::initializer_list<Verb> verbs{
    {"permits", Request::Of::Semaphore, Request::Action::Permits, Operand::None},
    {"set", Request::Of::Semaphore, Request::Action::Set, Operand::Number},
    {"add", Request::Of::Semaphore, Request::Action::Add, Operand::Number},
    {"remove", Request::Of::Semaphore, Request::Action::Remove, Operand::Number},
    {"acquire", Request::Of::Semaphore, Request::Action::Acquire, Operand::OptionalCount},
    {"release", Request::Of::Semaphore, Request::Action::Release, Operand::OptionalCount},
    {"drain", Request::Of::Semaphore, Request::Action::Drain, Operand::None},
    {"delete", Request::Of::Semaphore, Request::Action::Delete, Operand::None},
    {"run", Request::Of::Semaphore, Request::Action::Run, Operand::OptionalCount},
    {"wait", Request::Of::Latch, Request::Action::Wait, Operand::None},
    {"count-down", Request::Of::Latch, Request::Action::CountDown, Operand::None},
    {"count", Request::Of::Latch, Request::Action::Count, Operand::None},
    {"delete", Request::Of::Latch, Request::Action::Delete, Operand::None},
    {"set", Request::Of::Latch, Request::Action::Set, Operand::Number}};

Error misused(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

Error unknownVerb(Request::Of of) {
    return of == Request::Of::Latch
               ? misused(CommandLine::tr("latch needs a URL, a name, and wait, count-down, count, set N or delete"))
               : misused(
                     CommandLine::tr("semaphore needs a URL, a name, and a command after --, or permits, acquire [N], "
                                     "release [N], set N, add N, remove N, drain or delete"));
}

// A permit with an id is taken and released alone.
Operand operandOf(const Verb& verb, Request::Permits permits) {
    if (permits == Request::Permits::Plain || verb.operand != Operand::OptionalCount)
        return verb.operand;
    return verb.action == Request::Action::Release ? Operand::Permit : Operand::None;
}

std::optional<Error> takeOperand(Request& request, Operand operand, const QStringList& words) {
    const bool isMissing = words.isEmpty() && (operand == Operand::Number || operand == Operand::Permit);
    const bool isTooMany = words.size() > (operand == Operand::None ? 0 : 1);
    if (isTooMany)
        return misused(CommandLine::tr("too many words: '%1'").arg(words.last()));
    if (operand == Operand::Permit) {
        const auto permit = locks::PermitId::fromHex(words.value(0).toLatin1());
        if (!permit)
            return misused(CommandLine::tr("release takes the id of a permit, 32 hex digits, with --expirable"));
        request.permit = *permit;
        return std::nullopt;
    }
    if (words.isEmpty() && !isMissing)
        return std::nullopt;
    bool ok = false;
    request.number = words.value(0).toLongLong(&ok);
    const bool isInRange =
        operand == Operand::Number || (request.number >= 1 && request.number <= std::numeric_limits<qint32>::max());
    if (!ok || !isInRange)
        return misused(CommandLine::tr("not a number of permits or a count: '%1'").arg(words.value(0)));
    return std::nullopt;
}

}  // namespace

Result<SynchronizerRequest> SynchronizerRequest::parse(Of of, Permits permits, const QStringList& words) {
    SynchronizerRequest request;
    request.of = of;
    request.permits = permits;
    const QString word = words.isEmpty() && of == Of::Semaphore ? QStringLiteral("run") : words.value(0);
    for (const Verb& verb : verbs) {
        if (verb.of != of || word != QLatin1String(verb.word))
            continue;
        request.action = verb.action;
        if (request.isExpirable() && verb.action == Action::Drain)
            return misused(CommandLine::tr("drain goes without --expirable"));
        if (const std::optional<Error> error = takeOperand(request, operandOf(verb, permits), words.mid(1)))
            return *error;
        return request;
    }
    return unknownVerb(of);
}

}  // namespace lockkeeper::app
