#include "redis/command.h"

#include "redis/commandtable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace lockkeeper::redis {

namespace {

constexpr qsizetype mostCommandsFit = 256;  // bytes

// Type, number, CR LF. Together with appendArgument() this is half of what a command costs us, so it is written for
// speed: one growth an argument, no temporary strings.
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

private:
    std::array<char, std::numeric_limits<qint64>::digits10 + 5> m_text;  // type, sign, digits, CR LF
    qsizetype m_size;
};

void appendArgument(QByteArray& bytes, QByteArrayView argument) {
    const Header header('$', argument.size());
    const qsizetype before = bytes.size();
    bytes.resize(before + header.view().size() + argument.size() + 2);
    char* end = std::ranges::copy(header.view(), bytes.data() + before).out;
    end = std::ranges::copy(argument, end).out;
    *end++ = '\r';
    *end = '\n';
}

}  // namespace

Command::Command(QByteArrayView name) : m_name(name.toByteArray().toUpper()) {
    m_body.reserve(mostCommandsFit);
    arg(name);
}

Command::Command(QByteArrayView name, const QByteArrayList& arguments) : Command(name) {
    for (const QByteArray& argument : arguments)
        arg(argument);
}

Command& Command::arg(QByteArrayView argument) {
    if (++m_parts == 2 && isContainer(m_name))
        m_subcommand = argument.toByteArray().toUpper();
    appendArgument(m_body, argument);
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

void Command::appendTo(QByteArray& bytes) const {
    bytes += Header('*', m_parts).view();
    bytes += m_body;
}

}  // namespace lockkeeper::redis
