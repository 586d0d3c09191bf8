#include "redis/script.h"

#include <QCryptographicHash>
#include <QFile>

namespace lockkeeper::redis {

namespace {

Command scriptCommand(QByteArrayView name, const QByteArray& script, const QByteArrayList& keys, const QByteArrayList& arguments) {
    Command command(name);
    command.arg(script).arg(keys.size());
    for (const QByteArray& key : keys)
        command.arg(key);
    for (const QByteArray& argument : arguments)
        command.arg(argument);
    return command;
}

}  // namespace

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

Script::Script(QByteArray source)
    : m_source(std::move(source)), m_sha(QCryptographicHash::hash(m_source, QCryptographicHash::Sha1).toHex()) {}

Command Script::evalSha(const QByteArrayList& keys, const QByteArrayList& arguments) const {
    return scriptCommand("EVALSHA", m_sha, keys, arguments);
}

Command Script::eval(const QByteArrayList& keys, const QByteArrayList& arguments) const {
    return scriptCommand("EVAL", m_source, keys, arguments);
}

Command Script::evalReadOnly(const QByteArrayList& keys, const QByteArrayList& arguments) const {
    return scriptCommand("EVAL_RO", m_source, keys, arguments);
}

Completion<RespValue> runScript(Connection& connection, const Script& script, QByteArrayList keys, QByteArrayList arguments) {
    Completion<RespValue> answer;
    const QPointer<Connection> alive(&connection);
    connection.send(script.evalSha(keys, arguments))
        .then([answer, alive, script, keys = std::move(keys), arguments = std::move(arguments)](Result<RespValue> first) {
            const bool unknownScript = !first && first.error().text.startsWith(QLatin1String("NOSCRIPT"));
            if (!unknownScript || !alive)
                return answer.complete(std::move(first));
            alive->send(script.eval(keys, arguments)).then([answer](Result<RespValue> second) { answer.complete(std::move(second)); });
        });
    return answer;
}

}  // namespace lockkeeper::redis
