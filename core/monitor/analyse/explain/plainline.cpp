// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/explain/plainline.h"

#include "monitor/analyse/explain/logtime.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockkeeper::monitor {

namespace {

constexpr char removed = '\0';

// What a character of typography stands for; nothing if it stands for itself.
std::optional<char> asciiFor(char32_t character) {
    if ((character >= 0x2010 && character <= 0x2015) || character == 0x2212 || character == 0xFE63 ||
        character == 0xFF0D)
        return '-';
    if ((character >= 0x2018 && character <= 0x201B) || character == 0x2032 || character == 0x02BC)
        return '\'';
    if ((character >= 0x201C && character <= 0x201F) || character == 0x2033)
        return '"';
    if (character == 0xA0 || (character >= 0x2000 && character <= 0x200A) || character == 0x202F ||
        character == 0x205F || character == 0x3000)
        return ' ';
    if (character == 0xAD || (character >= 0x200B && character <= 0x200F) || character == 0x2060 || character == 0xFEFF)
        return removed;
    return std::nullopt;
}

struct Decoded {
    char32_t character = 0;
    size_t bytes = 1;
};

// Two or three bytes of UTF-8, which is all that asciiFor() needs; nothing for others.
std::optional<Decoded> decoded(std::string_view text) {
    const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto follows = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0U) == 0x80U; };
    if ((byte(0) & 0xE0U) == 0xC0U && follows(1))
        return Decoded{(byte(0) & 0x1FU) << 6U | (byte(1) & 0x3FU), 2};
    if ((byte(0) & 0xF0U) == 0xE0U && follows(1) && follows(2))
        return Decoded{(byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU), 3};
    return std::nullopt;
}

void appendUtf8(std::string& text, char32_t character) {
    if (character < 0x80) {
        text += static_cast<char>(character);
    } else if (character < 0x800) {
        text += static_cast<char>(0xC0U | character >> 6U);
        text += static_cast<char>(0x80U | (character & 0x3FU));
    } else {
        if (character < 0x10000) {
            text += static_cast<char>(0xE0U | character >> 12U);
        } else {
            text += static_cast<char>(0xF0U | character >> 18U);
            text += static_cast<char>(0x80U | (character >> 12U & 0x3FU));
        }
        text += static_cast<char>(0x80U | (character >> 6U & 0x3FU));
        text += static_cast<char>(0x80U | (character & 0x3FU));
    }
}

std::optional<char32_t> hexAt(std::string_view text, size_t from) {
    if (text.size() < from + 4)
        return std::nullopt;
    char32_t value = 0;
    for (size_t i = from; i < from + 4; ++i) {
        const char digit = text[i];
        const int number = digit >= '0' && digit <= '9'   ? digit - '0'
                           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                                          : -1;
        if (number < 0)
            return std::nullopt;
        value = value << 4U | static_cast<char32_t>(number);
    }
    return value == 0 ? std::nullopt : std::optional(value);
}

constexpr size_t escapeLength = 6;  // of a backslash, u and four digits

bool isFirstOfPair(char32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}
bool isSecondOfPair(char32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

// The character whose digits begin at `from`; a pair of surrogates is one.
std::optional<Decoded> escapedAt(std::string_view text, size_t from) {
    const std::optional<char32_t> first = hexAt(text, from);
    if (!first || isSecondOfPair(*first))
        return std::nullopt;
    if (!isFirstOfPair(*first))
        return Decoded{*first, 4};
    const bool hasSecond = text.substr(std::min(text.size(), from + 4), 2) == "\\u";
    const std::optional<char32_t> second = hasSecond ? hexAt(text, from + escapeLength) : std::nullopt;
    if (!second || !isSecondOfPair(*second))
        return std::nullopt;
    return Decoded{0x10000 + ((*first - 0xD800) << 10U) + (*second - 0xDC00), 4 + escapeLength};
}

bool looksEscaped(std::string_view line) {
    const size_t first = line.find_first_not_of(" \t");
    const bool beginsAsJson = first != std::string_view::npos && (line[first] == '{' || line[first] == '[');
    return beginsAsJson || line.find("\\\"") != std::string_view::npos ||
           line.find("\\n\\t") != std::string_view::npos || line.find("{\"") != std::string_view::npos ||
           line.find("\":\"") != std::string_view::npos || line.find("\\nCaused") != std::string_view::npos;
}

std::string withoutEscapes(std::string_view line) {
    std::string plain;
    plain.reserve(line.size());
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 == line.size()) {
            plain += line[i];
            continue;
        }
        const char escaped = line[++i];
        if (escaped == 'u') {
            const std::optional<Decoded> character = escapedAt(line, i + 1);
            if (character)
                appendUtf8(plain, character->character);
            i += character ? character->bytes : 0;
        } else if (escaped == 'n' || escaped == 'r') {
            plain += '\n';
        } else if (escaped == 't') {
            plain += '\t';
        } else {
            plain += escaped;
        }
    }
    return plain;
}

// How long the sequence is by which a terminal sets colors; 0 if there is none.
size_t colorAt(std::string_view text) {
    if (text.size() < 2 || text[0] != '\x1b' || text[1] != '[')
        return 0;
    const size_t end = text.find_first_not_of("0123456789;", 2);
    return end == std::string_view::npos ? text.size() : end + 1;
}

struct Entity {
    std::string_view written;
    char meant;
};
constexpr std::array<Entity, 6> entities{
    {{"&#39;", '\''}, {"&#x27;", '\''}, {"&apos;", '\''}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}}};

// A sign that HTML writes in another way.
const Entity* entityAt(std::string_view text) {
    for (const Entity& entity : entities) {
        if (text.substr(0, entity.written.size()) == entity.written)
            return &entity;
    }
    return nullptr;
}

bool isPlain(unsigned char byte) {
    return byte < 0x7F && (byte >= 0x20 || byte == '\n' || byte == '\t') && byte != '&';
}

std::string withoutTypography(std::string_view line) {
    std::string plain;
    plain.reserve(line.size());
    for (size_t i = 0; i < line.size();) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const Entity* entity = byte == '&' ? entityAt(line.substr(i)) : nullptr;
        const size_t color = colorAt(line.substr(i));
        if (entity || color > 0) {
            plain += entity ? std::string(1, entity->meant) : std::string();
            i += entity ? entity->written.size() : color;
            continue;
        }
        const std::optional<Decoded> wide = byte < 0x80 ? std::nullopt : decoded(line.substr(i));
        const std::optional<char> ascii = wide ? asciiFor(wide->character) : std::nullopt;
        const size_t taken = wide ? wide->bytes : 1;
        if (ascii && *ascii != removed)
            plain += *ascii;
        else if (!ascii && (byte >= 0x80 || byte == '&' || isPlain(byte)))
            plain.append(line, i, taken);
        else if (!ascii)
            plain += ' ';
        i += taken;
    }
    return plain;
}

// A container's log has its own time and stream before each line, also before those of a stack trace.
struct ContainerLine {
    std::string time;
    std::string content;
};

struct ContainerMark {
    std::string_view text;
    ContainerPart part;
    ContainerStream stream;
};
constexpr std::array<ContainerMark, 4> containerMarks{
    {{" stdout F ", ContainerPart::Last, ContainerStream::Output},
     {" stderr F ", ContainerPart::Last, ContainerStream::Errors},
     {" stdout P ", ContainerPart::Partial, ContainerStream::Output},
     {" stderr P ", ContainerPart::Partial, ContainerStream::Errors}}};

struct ContainerPrefix {
    std::string_view time;
    size_t size = 0;  // with the mark
    ContainerPart part = ContainerPart::None;
    ContainerStream stream = ContainerStream::Output;
};

// "2026-01-31T12:00:00.1Z stdout F CONTENT"
std::optional<ContainerPrefix> containerPrefix(std::string_view line) {
    constexpr size_t longestTime = 40;
    for (const ContainerMark& mark : containerMarks) {
        const size_t at = line.substr(0, longestTime + mark.text.size()).find(mark.text);
        if (at != std::string_view::npos)
            return ContainerPrefix{line.substr(0, at), at + mark.text.size(), mark.part, mark.stream};
    }
    return std::nullopt;
}

std::optional<ContainerLine> containerdLine(std::string_view line) {
    const std::optional<ContainerPrefix> prefix = containerPrefix(line);
    if (!prefix)
        return std::nullopt;
    return ContainerLine{std::string(prefix->time), std::string(line.substr(prefix->size))};
}

// {"log":"CONTENT\n","stream":"stdout","time":"2026-01-31T12:00:00.1Z"}
std::optional<ContainerLine> dockerLine(std::string_view line) {
    constexpr std::string_view begin = "{\"log\":\"";
    constexpr std::string_view timeField = "\"time\":\"";
    const size_t end = line.rfind("\",\"stream\":\"");
    if (line.substr(0, begin.size()) != begin || end == std::string_view::npos || end < begin.size())
        return std::nullopt;
    ContainerLine found;
    found.content = withoutEscapes(line.substr(begin.size(), end - begin.size()));
    while (!found.content.empty() && found.content.back() == '\n')
        found.content.pop_back();
    const size_t time = line.find(timeField, end);
    if (time != std::string_view::npos) {
        const std::string_view rest = line.substr(time + timeField.size());
        found.time = std::string(rest.substr(0, rest.find('"')));
    }
    return found;
}

// The time is of use where the program writes none of its own, and not before the lines of a stack trace.
std::string withoutContainer(const ContainerLine& line) {
    const std::string_view content = line.content;
    const bool isIndented = content.empty() || content[0] == ' ' || content[0] == '\t';
    const bool isOfTrace = isIndented || content.starts_with("Caused by") || content.starts_with("...");
    return isOfTrace || hasTimeAtBegin(content) ? line.content : line.time + ' ' + line.content;
}

// Mail and Markdown quote a text by a sign before each line.
std::string_view withoutQuotation(std::string_view line) {
    while (line.size() > 1 && line[0] == '>' && line[1] == ' ')
        line.remove_prefix(2);
    return line;
}

}  // namespace

// A backslash elsewhere may belong to a name or a path.
bool isEscaped(std::string_view line) {
    return looksEscaped(containerContent(line));
}

ContainerPart containerPart(std::string_view line) {
    const std::optional<ContainerPrefix> prefix = containerPrefix(withoutQuotation(line));
    return prefix ? prefix->part : ContainerPart::None;
}

ContainerStream containerStream(std::string_view line) {
    const std::optional<ContainerPrefix> prefix = containerPrefix(withoutQuotation(line));
    return prefix ? prefix->stream : ContainerStream::Output;
}

bool isOfContainer(std::string_view quoted) {
    const std::string_view line = withoutQuotation(quoted);
    return containerPrefix(line) || dockerLine(line);
}

std::string_view containerContent(std::string_view quoted) {
    const std::string_view line = withoutQuotation(quoted);
    const std::optional<ContainerPrefix> prefix = containerPrefix(line);
    return prefix ? line.substr(prefix->size) : line;
}

size_t openEscape(std::string_view piece) {
    // Two escapes may be one character.
    const size_t near = piece.size() - std::min(piece.size(), 2 * escapeLength - 1);
    size_t at = piece.find('\\', near);
    while (at > 0 && at != std::string_view::npos && piece[at - 1] == '\\')
        --at;
    while (at != std::string_view::npos && at < piece.size()) {
        const std::string_view rest = piece.substr(at);
        const bool isUnicode = rest.size() > 1 && rest[1] == 'u';
        const std::optional<char32_t> unit = isUnicode ? hexAt(rest, 2) : std::nullopt;
        const bool isOpen = rest.size() == 1 || (isUnicode && rest.size() < escapeLength) ||
                            (unit && isFirstOfPair(*unit) && rest.size() < 2 * escapeLength);
        if (isOpen)
            return rest.size();
        at = piece.find('\\', at + 2);
    }
    return 0;
}

std::string plainLine(std::string_view quoted, Escapes escapes) {
    const std::string_view line = withoutQuotation(quoted);
    std::optional<ContainerLine> container = dockerLine(line);
    if (!container)
        container = containerdLine(line);
    if (container) {
        if (escapes == Escapes::Used || looksEscaped(container->content))
            container->content = withoutEscapes(container->content);
        return withoutTypography(withoutContainer(*container));
    }
    const bool hasBackslash = line.find('\\') != std::string_view::npos;
    if (hasBackslash && (escapes == Escapes::Used || looksEscaped(line)))
        return withoutTypography(withoutEscapes(line));
    for (const char character : line) {
        if (!isPlain(static_cast<unsigned char>(character)))
            return withoutTypography(line);
    }
    return std::string(line);
}

}  // namespace lockkeeper::monitor
