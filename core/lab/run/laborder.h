// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"

#include <QMetaType>

#include <variant>

namespace lockkeeper::lab {

// Which experiment a lab session runs, and how it begins.
struct LabOrder {
    QByteArray experiment;
    Variation variation;
    std::optional<Milliseconds> stop = Milliseconds(0);  // see SetPace
    QString serverProgram;                               // empty: the installed one
};

// How long no time passes after each step, so that its result can be seen. Nothing: until NextStep, and from now on if
// a step is running. Work of the laboratory on its servers, and reads of them, end before. NextStep then ends the step.
struct SetPace {
    std::optional<Milliseconds> stop;
};
struct NextStep {};

// A step of the user is of the same kind as those of experiments. Before Free only faults are accepted, and the outcome
// then states a change by hand. A step that comes while no time passes makes time pass until the step is done.
using LabRequest = std::variant<SetPace, NextStep, Step>;

}  // namespace lockkeeper::lab
