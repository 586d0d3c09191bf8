// SPDX-License-Identifier: Apache-2.0
#include "redis/script.h"

#include "redis/replyerrors.h"

#include <QCryptographicHash>
#include <QFile>

namespace lockkeeper::redis {

Script Script::embedded(const QString& path) {
    QFile file(QStringLiteral(":/lockkeeper/") + path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("lockkeeper: the script %s is not part of this build", qPrintable(path));
    return Script(file.readAll());
}

Script Script::joined(const QStringList& paths) {
    QByteArray source;
    for (const QString& path : paths)
        source += embedded(path).source();
    return Script(source);
}

struct Script::Forms {
    Script plainAndSharded;
    Script sharded;
};

Script::Script(QByteArray source)
    : m_source(std::move(source)), m_sha(QCryptographicHash::hash(m_source, QCryptographicHash::Sha1).toHex()) {}

void Script::setForms(Script plainAndSharded, Script sharded) {
    m_forms = std::make_shared<const Forms>(Forms{std::move(plainAndSharded), std::move(sharded)});
}

const Script& Script::formFor(Publishing publishing) const noexcept {
    if (!m_forms || publishing == Publishing::Plain)
        return *this;
    return publishing == Publishing::Sharded ? m_forms->sharded : m_forms->plainAndSharded;
}

ScriptCall::ScriptCall(Script script, Arguments keys, const Arguments& arguments)
    : m_script(std::move(script)), m_keyCount(keys.count()), m_keysAndArguments(std::move(keys)) {
    m_keysAndArguments.add(arguments);
}

ScriptCall ScriptCall::formFor(Publishing publishing) const {
    ScriptCall call = *this;
    call.m_script = m_script.formFor(publishing);
    return call;
}

Command ScriptCall::evalSha() const {
    return command("EVALSHA", m_script.sha());
}

Command ScriptCall::eval() const {
    return command("EVAL", m_script.source());
}

Command ScriptCall::evalShaReadOnly() const {
    return command("EVALSHA_RO", m_script.sha());
}

Command ScriptCall::evalReadOnly() const {
    return command("EVAL_RO", m_script.source());
}

Command ScriptCall::command(QByteArrayView name, const QByteArray& script) const {
    Command command(name);
    command.arg(script).arg(m_keyCount).args(m_keysAndArguments);
    return command;
}

Completion<RespValue> sendScript(Connection& connection, const ScriptCall& call, const Command& form) {
    static const Command caching("CLIENT", {"CACHING", "YES"});
    if (call.isTracked())
        (void)connection.send(caching);
    return connection.send(form);
}

Completion<RespValue> runScript(Connection& connection, ScriptCall call, BeforeSendingAgain beforeAgain) {
    Completion<RespValue> answer;
    const Completion<RespValue> bySha = sendScript(connection, call, call.evalSha());
    bySha.then([answer, alive = QPointer(&connection), call = std::move(call),
                beforeAgain = std::move(beforeAgain)](Result<RespValue> first) {
        const bool unknownScript = !first && first.error().reply == ReplyKind::NoScript;
        if (!unknownScript || !alive || answer.isAbandoned())
            return answer.complete(std::move(first));
        if (const std::optional<Error> refusal = beforeAgain ? beforeAgain() : std::nullopt)
            return answer.complete(*refusal);
        sendScript(*alive, call, call.eval()).then([answer](Result<RespValue> second) {
            answer.complete(std::move(second));
        });
    });
    return answer;
}

}  // namespace lockkeeper::redis
