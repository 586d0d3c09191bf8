// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QMap>

#include <optional>
#include <variant>

namespace lockkeeper::lab {

// One thing that was measured: a number (a count, a token, milliseconds), or a word of this program.
using Fact = std::variant<qint64, QByteArray>;
using Facts = QMap<QByteArray, Fact>;

// What a step of a scenario has brought. The code is a stable English word: "acquired", "held", "released", ..., or
// that of an ErrorCode.
struct Answer {
    QByteArray code;
    Facts facts;  // further ones, without the label of the step
    std::optional<Error> error;  // that the code is of

    Answer() = default;
    Answer(QByteArray word) : code(std::move(word)) {}
    Answer(const char* word) : code(word) {}
    Answer(const Error& failure) : code(wordFor(failure.code).toLatin1()), error(failure) {}
};

}  // namespace lockkeeper::lab
