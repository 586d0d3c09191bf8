// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/springprofiles.h"

#include <QRegularExpression>

namespace lockkeeper::profile {

namespace {

constexpr int deepestExpression = 20;
constexpr qsizetype longestExpression = 1000;

// Reads an expression from left to right: "or" of "and" of names, which '!' negates and brackets group.
class Expression {
public:
    Expression(QStringView text, const QStringList& active) : m_text(text), m_active(active) {}

    bool isTrue() {
        const bool value = either(0);
        return value && m_isGood && next().isNull();
    }

private:
    QChar next() {
        while (m_at < m_text.size() && m_text.at(m_at).isSpace())
            ++m_at;
        return m_at < m_text.size() ? m_text.at(m_at) : QChar();
    }
    bool take(char16_t character) {
        if (next() != character)
            return false;
        ++m_at;
        return true;
    }
    bool either(int depth) {
        bool value = both(depth);
        while (take(u'|'))
            value = both(depth) || value;
        return value;
    }
    bool both(int depth) {
        bool value = single(depth);
        while (take(u'&'))
            value = single(depth) && value;
        return value;
    }
    bool single(int depth) {
        if (depth > deepestExpression) {
            m_isGood = false;
            return false;
        }
        if (take(u'!'))
            return !single(depth + 1);
        if (take(u'(')) {
            const bool value = either(depth + 1);
            m_isGood = take(u')') && m_isGood;
            return value;
        }
        (void)next();
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && !QStringView(u"!&|()").contains(m_text.at(m_at)) && !m_text.at(m_at).isSpace())
            ++m_at;
        m_isGood = m_isGood && m_at > begin;
        return m_active.contains(m_text.mid(begin, m_at - begin).toString());
    }

    QStringView m_text;
    const QStringList& m_active;
    qsizetype m_at = 0;
    bool m_isGood = true;
};

}  // namespace

bool acceptsProfiles(const QString& expression, const QStringList& active) {
    const QString text = expression.left(longestExpression);
    const QStringList alternatives = text.split(QLatin1Char(','));
    return std::any_of(alternatives.cbegin(), alternatives.cend(),
                       [&active](const QString& one) { return Expression(one, active).isTrue(); });
}

QStringList profilesIn(const QString& expression) {
    static const QRegularExpression name(QStringLiteral("(!\\s*)?([^\\s!&|(),]+)"));
    QStringList names;
    for (QRegularExpressionMatchIterator found = name.globalMatch(expression.left(longestExpression));
         found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        if (match.capturedLength(1) == 0 && !names.contains(match.captured(2)))
            names += match.captured(2);
    }
    return names;
}

}  // namespace lockkeeper::profile
