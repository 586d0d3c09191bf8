// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/diagnosischanges.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

QList<Diagnosis> withoutKindsOf(const QList<Diagnosis>& diagnoses, const QList<Diagnosis>& others) {
    QList<Diagnosis> rest;
    std::copy_if(diagnoses.begin(), diagnoses.end(), std::back_inserter(rest), [&](const Diagnosis& one) {
        return std::none_of(others.begin(), others.end(),
                            [&](const Diagnosis& other) { return other.kind() == one.kind(); });
    });
    return rest;
}

bool hasBecomeCertain(const Diagnosis& earlier, const QList<Diagnosis>& now) {
    return earlier.certainty != Certainty::Certain && std::any_of(now.begin(), now.end(), [&](const Diagnosis& one) {
               return one.kind() == earlier.kind() && one.certainty == Certainty::Certain;
           });
}

}  // namespace

DiagnosisChanges changesBetween(const QList<Diagnosis>& before, const QList<Diagnosis>& now) {
    QList<Diagnosis> unchanged;
    std::copy_if(before.begin(), before.end(), std::back_inserter(unchanged),
                 [&now](const Diagnosis& earlier) { return !hasBecomeCertain(earlier, now); });
    return {withoutKindsOf(before, now), withoutKindsOf(now, unchanged)};
}

void addByGravity(QList<Diagnosis>& diagnoses, const Diagnosis& added) {
    const auto place = std::ranges::upper_bound(diagnoses, added.kind(), {}, &Diagnosis::kind);
    diagnoses.insert(place, added);
}

}  // namespace lockkeeper::monitor
