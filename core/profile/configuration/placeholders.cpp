// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/placeholders.h"

#include <QRegularExpression>

namespace lockkeeper::profile {

namespace {

constexpr int deepestVariable = 16;
constexpr qsizetype longestPlaceholder = 2000;
constexpr qsizetype longestValue = 1 << 16;
constexpr int mostSteps = 10'000;  // for a whole file

const QLatin1String variableBegin("${");

// Where the default of a placeholder begins; negative without one.
qsizetype defaultColon(QStringView inner) {
    int depth = 0;
    for (qsizetype at = 0; at < inner.size(); ++at) {
        if (inner.mid(at).startsWith(variableBegin))
            ++depth;
        else if (inner.at(at) == QLatin1Char('}'))
            --depth;
        else if (inner.at(at) == QLatin1Char(':') && depth == 0)
            return at;
    }
    return -1;
}

bool isVariableName(const QString& name) {
    static const QRegularExpression allowed(QStringLiteral("^[\\w.\\-\\[\\]]{1,200}$"));
    return allowed.match(name).hasMatch();
}

void addOnce(QStringList& names, const QString& name) {
    constexpr qsizetype most = 100;
    if (names.size() < most && !names.contains(name))
        names += name;
}

}  // namespace

qsizetype placeholderEnd(QStringView text, qsizetype begin) {
    int depth = 0;
    const qsizetype limit = std::min(text.size(), begin + longestPlaceholder);
    for (qsizetype at = begin; at < limit && depth <= deepestVariable; ++at) {
        if (text.at(at) == QLatin1Char('\n'))
            return -1;
        if (text.mid(at, variableBegin.size()) == variableBegin)
            ++depth;
        else if (text.at(at) == QLatin1Char('}') && --depth == 0)
            return at + 1;
    }
    return -1;
}

QString Placeholders::resolved(const QString& text, Form form) {
    static const QRegularExpression ofMaven(QStringLiteral("^\\s*@([\\w.\\-]{1,200})@\\s*$"));
    m_form = form;
    if (const QRegularExpressionMatch match = ofMaven.match(text); match.hasMatch())
        return valueOf(match.captured(1), std::nullopt, 0);
    return text.contains(variableBegin) ? resolved(QStringView(text), 0) : text;
}

QString Placeholders::resolved(QStringView text, int depth) {
    QString result;
    qsizetype done = 0;
    for (qsizetype at = text.indexOf(variableBegin); at >= 0; at = text.indexOf(variableBegin, done)) {
        const qsizetype end = placeholderEnd(text, at);
        if (end < 0 || depth > deepestVariable || ++m_steps > mostSteps || result.size() > longestValue || isTooMuch())
            break;
        const QStringView inner = text.mid(at + variableBegin.size(), end - at - variableBegin.size() - 1);
        const qsizetype colon = defaultColon(inner);
        const QString name = resolved(colon < 0 ? inner : inner.left(colon), depth + 1).trimmed();
        result += text.mid(done, at - done);
        if (isVariableName(name))
            result += valueOf(name, colon < 0 ? std::nullopt : std::optional(inner.mid(colon + 1)), depth);
        else
            result += text.mid(at, end - at);
        done = end;
    }
    result += text.mid(done);
    m_produced += result.size();
    return isTooMuch() ? QString() : result.left(longestValue);
}

QString Placeholders::valueOf(const QString& name, const std::optional<QStringView>& usual, int depth) {
    const std::optional<QString> own = m_own ? m_own(name) : std::nullopt;
    const bool isCyclic = own && m_open.contains(name);
    if (own && !isCyclic) {
        m_open += name;
        const QString value = resolved(QStringView(*own), depth + 1);
        m_open.removeLast();
        return value;
    }
    if (const std::optional<QString> outside = m_outside ? m_outside(name) : std::nullopt)
        return *outside;
    if (isCyclic) {
        for (const QString& one : std::as_const(m_open))
            addOnce(m_cyclic, one);
        return {};
    }
    if (!usual) {
        addOnce(m_missing, name);
        return {};
    }
    if (!m_outside)
        addOnce(m_unasked, name);
    const bool isShell = m_form == Form::Redisson && usual->startsWith(QLatin1Char('-'));
    return resolved(isShell ? usual->mid(1) : *usual, depth + 1);
}

}  // namespace lockkeeper::profile
