// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"

namespace lockkeeper::monitor {

// The diagnoses that have begun and ended between two lists of diagnoses of one lock.
struct DiagnosisChanges {
    QList<Diagnosis> ended;
    // Includes a diagnosis that has become certain, because its certainty decides what a user may do about it.
    QList<Diagnosis> begun;
};

[[nodiscard]] DiagnosisChanges changesBetween(const QList<Diagnosis>& before, const QList<Diagnosis>& now);

// Inserts the diagnosis at the place for its gravity.
void addByGravity(QList<Diagnosis>& diagnoses, const Diagnosis& added);

}  // namespace lockkeeper::monitor
