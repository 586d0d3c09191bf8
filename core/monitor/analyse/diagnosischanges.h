// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/diagnosis.h"

namespace lockkeeper::monitor {

// What has begun and ended between two lists of diagnoses of one lock.
struct DiagnosisChanges {
    QList<Diagnosis> ended;
    // One that has become certain begins once more: what a user may do about it depends on that.
    QList<Diagnosis> begun;
};

[[nodiscard]] DiagnosisChanges changesBetween(const QList<Diagnosis>& before, const QList<Diagnosis>& now);

// At the place that its gravity gives it.
void addByGravity(QList<Diagnosis>& diagnoses, const Diagnosis& added);

}  // namespace lockkeeper::monitor
