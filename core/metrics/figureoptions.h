// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/histogram.h"

#include <QByteArrayList>

namespace lockkeeper::metrics {

// What the figures of all targets are made of. A value; other options begin with other figures.
struct FigureOptions {
    static constexpr int mostGroupsEver = 1000;
    static constexpr int mostLocks = 100;  // with a series of their own, of each target
    static constexpr qsizetype mostPatterns = 100;

    QByteArray groupBy;  // separator; empty: no groups
    int mostGroups = 50;
    QByteArrayList lockPatterns;  // of names that get series of their own, as in SCAN
    Buckets holdBuckets{0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600};
    Buckets waitBuckets{0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600};

    friend bool operator==(const FigureOptions&, const FigureOptions&) = default;
};

}  // namespace lockkeeper::metrics
