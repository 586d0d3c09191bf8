// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <QByteArray>
#include <QMap>

#include <optional>
#include <variant>

namespace lockkeeper::lab {

// One measured value: a number (a count, a token, milliseconds), or a word of this program.
using Fact = std::variant<qint64, QByteArray>;
using Facts = QMap<QByteArray, Fact>;

// The result of a step of a scenario. The code is a stable English word: "acquired", "held", "released", ..., or that
// of an ErrorCode.
struct Answer {
    QByteArray code;
    Facts facts;                 // further values, without the label of the step
    std::optional<Error> error;  // the error that the code names

    Answer() = default;
    Answer(QByteArray word) : code(std::move(word)) {}
    Answer(const char* word) : code(word) {}
    Answer(const Error& failure) : code(wordFor(failure.code).toLatin1()), error(failure) {}
};

}  // namespace lockkeeper::lab
