#include "redis/command.h"

#include "redis/commandtable.h"

namespace lockkeeper::redis {

Command::Command(QByteArrayView name) : m_name(name.toByteArray().toUpper()) {
    arg(name);
}

Command::Command(QByteArrayView name, const QByteArrayList& arguments) : Command(name) {
    for (const QByteArray& argument : arguments)
        arg(argument);
}

Command& Command::arg(QByteArrayView argument) {
    if (++m_parts == 2 && isContainer(m_name))
        m_subcommand = argument.toByteArray().toUpper();
    m_body += '$';
    m_body += QByteArray::number(argument.size());
    m_body += "\r\n";
    m_body += argument;
    m_body += "\r\n";
    return *this;
}

Command& Command::arg(qint64 argument) {
    return arg(QByteArray::number(argument));
}

QByteArray Command::name() const {
    return m_subcommand.isEmpty() ? m_name : m_name + ' ' + m_subcommand;
}

Effect Command::effect() const {
    return effectOf(m_name, m_subcommand);
}

QByteArray Command::encoded() const {
    return '*' + QByteArray::number(m_parts) + "\r\n" + m_body;
}

}  // namespace lockkeeper::redis
