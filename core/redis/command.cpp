// SPDX-License-Identifier: Apache-2.0
#include "redis/command.h"

#include "redis/commandtable.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>

namespace lockkeeper::redis {

namespace {

constexpr qsizetype mostCommandsFit = 256;  // bytes

// Type, number, CR LF. Header and Arguments::add() are much of the cost of a command, so both avoid temporary strings
// and grow the buffer once an argument.
class Header {
public:
    Header(char type, qint64 number) {
        m_text[0] = type;
        char* end = std::to_chars(m_text.data() + 1, m_text.data() + m_text.size() - 2, number).ptr;
        *end++ = '\r';
        *end++ = '\n';
        m_size = end - m_text.data();
    }
    [[nodiscard]] QByteArrayView view() const { return {m_text.data(), m_size}; }
    [[nodiscard]] QByteArrayView digits() const { return view().sliced(1).chopped(2); }

private:
    std::array<char, std::numeric_limits<qint64>::digits10 + 5> m_text;  // type, sign, digits, CR LF
    qsizetype m_size;
};

}  // namespace

Arguments::Arguments(std::initializer_list<QByteArrayView> arguments) {
    if (arguments.size() > 0)
        m_encoded.reserve(mostCommandsFit);
    for (const QByteArrayView argument : arguments)
        add(argument);
}

Arguments::Arguments(const QByteArrayList& arguments) {
    for (const QByteArray& argument : arguments)
        add(argument);
}

void Arguments::add(QByteArrayView argument) {
    const Header header('$', argument.size());
    const qsizetype before = m_encoded.size();
    m_encoded.resize(before + header.view().size() + argument.size() + 2);
    char* const begin = m_encoded.data() + before;
    std::memcpy(begin, header.view().data(), static_cast<size_t>(header.view().size()));
    char* const body = begin + header.view().size();
    if (!argument.isEmpty())
        std::memcpy(body, argument.data(), static_cast<size_t>(argument.size()));
    std::memcpy(body + argument.size(), "\r\n", 2);
    ++m_count;
}

void Arguments::add(qint64 argument) {
    add(Header('$', argument).digits());
}

void Arguments::add(const Arguments& others) {
    m_encoded += others.m_encoded;
    m_count += others.m_count;
}

Command::Command(QByteArrayView name) : m_name(name.toByteArray().toUpper()), m_kind(commandKindOf(m_name)) {
    m_parts.reserve(mostCommandsFit);
    m_parts.add(name);
}

Command::Command(QByteArrayView name, const QByteArrayList& arguments) : Command(name) {
    for (const QByteArray& argument : arguments)
        arg(argument);
}

Command& Command::arg(QByteArrayView argument) {
    if (m_parts.count() == 1 && m_kind == CommandKind::Container)
        m_subcommand = argument.toByteArray().toUpper();
    else if (m_parts.count() == 1 && m_kind == CommandKind::Subscription)
        m_channel = argument.toByteArray();
    m_parts.add(argument);
    return *this;
}

Command& Command::arg(qint64 argument) {
    m_parts.add(argument);
    return *this;
}

Command& Command::args(const Arguments& arguments) {
    m_parts.add(arguments);
    return *this;
}

QByteArray Command::name() const {
    return m_subcommand.isEmpty() ? m_name : m_name + ' ' + m_subcommand;
}

Effect Command::effect() const {
    switch (m_kind) {
        case CommandKind::Read:
            return Effect::Read;
        case CommandKind::Subscription:
            return Effect::Subscribe;
        case CommandKind::Monitor:
            return Effect::Monitor;
        case CommandKind::Container:
            return isReadSubcommand(m_name, m_subcommand) ? Effect::Read : Effect::Write;
        case CommandKind::Other:
            break;
    }
    return Effect::Write;
}

void Command::appendTo(QByteArray& bytes) const {
    bytes += Header('*', m_parts.count()).view();
    bytes += m_parts.encoded();
}

}  // namespace lockkeeper::redis
