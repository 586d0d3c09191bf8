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
    std::optional<Milliseconds> stop = Milliseconds(0);  // as in SetPace
    QString serverProgram;                               // empty: the installed one
};

// How long no time passes after each step, so that it can be seen. Nothing: until NextStep, and from now on if a step is
// under way. What the laboratory itself does to its servers, or reads there, ends before. NextStep ends the step then.
struct SetPace {
    std::optional<Milliseconds> stop;
};
struct NextStep {};

// A step of the user's own is one of the same kind as those of experiments. Before Free only faults are taken, and the
// outcome says that it was changed by hand. One that comes while no time passes lets it pass until it is done.
using LabRequest = std::variant<SetPace, NextStep, Step>;

}  // namespace lockkeeper::lab
