// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace lockkeeper::profile {

// The value of a variable ${NAME} of the file; nothing if it has no value, so that its default is used.
using RedissonVariables = std::function<std::optional<QString>(const QString& name)>;

// Where the placeholder ${...} at this place ends, behind its brace. Negative if it does not end in its line.
[[nodiscard]] qsizetype placeholderEnd(QStringView text, qsizetype begin);

// Replaces the variables ${NAME}, ${NAME:default} and ${NAME:-default} of texts, and a whole text such as
// @activeProfile@, which Maven replaces when it builds. It remembers the variables without a value. A
// value from outside is used as it is; one of the file may have variables itself. Time and memory are bounded, whatever
// the file says.
class Placeholders {
public:
    enum class Form { Redisson, Spring };  // Spring: a dash at the begin of a default belongs to it

    // outside: where values come from; empty if nobody allowed that.
    explicit Placeholders(RedissonVariables outside) : m_outside(std::move(outside)) {}

    // The file's own settings, which come first. own: returns a text that may have variables.
    void setOwn(RedissonVariables own) { m_own = std::move(own); }
    [[nodiscard]] QString resolved(const QString& text, Form form);

    // Variables without a value, in the order in which they were met.
    [[nodiscard]] const QStringList& missing() const noexcept { return m_missing; }
    // Variables whose default was used although they may have a value outside.
    [[nodiscard]] const QStringList& unasked() const noexcept { return m_unasked; }
    // Variables of the file whose values need themselves.
    [[nodiscard]] const QStringList& cyclic() const noexcept { return m_cyclic; }
    // Whether texts are incomplete, because all values together are too long.
    [[nodiscard]] bool isTooMuch() const noexcept { return m_produced > most; }

    static constexpr qsizetype most = 1'000'000;  // characters

private:
    [[nodiscard]] QString resolved(QStringView text, int depth);
    [[nodiscard]] QString valueOf(const QString& name, const std::optional<QStringView>& usual, int depth);

    RedissonVariables m_outside;
    RedissonVariables m_own;
    Form m_form = Form::Redisson;
    int m_steps = 0;
    QStringList m_missing;
    QStringList m_unasked;
    QStringList m_cyclic;
    QStringList m_open;  // variables of the file whose values are being made
    qsizetype m_produced = 0;
};

}  // namespace lockkeeper::profile
