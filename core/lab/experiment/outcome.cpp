// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/outcome.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

bool isMet(const Expectation& expected, const Fact& measured) {
    if (expected.relation == Expectation::Relation::Is)
        return measured == expected.value;
    const auto* number = std::get_if<qint64>(&measured);
    const auto* bound = std::get_if<qint64>(&expected.value);
    if (!number || !bound)
        return false;
    return expected.relation == Expectation::Relation::AtLeast ? *number >= *bound : *number <= *bound;
}

}  // namespace

std::vector<Comparison> compared(const std::vector<Expectation>& expectations, const Facts& facts) {
    std::vector<Comparison> comparisons;
    for (const Expectation& expected : expectations) {
        Comparison comparison{expected, std::nullopt};
        if (const auto found = facts.constFind(expected.fact); found != facts.cend())
            comparison.measured = *found;
        comparison.isMet = comparison.measured && isMet(expected, *comparison.measured);
        comparisons.push_back(std::move(comparison));
    }
    return comparisons;
}

bool isAsExpected(const Scenario& scenario, const Outcome& outcome) {
    const std::vector<Comparison> comparisons = compared(scenario.expectations, outcome.facts);
    return !outcome.failure && std::ranges::all_of(comparisons, &Comparison::isMet);
}

Verdict verdictOf(const Scenario& scenario, const Outcome& outcome) {
    if (outcome.isChangedByHand)
        return Verdict::ChangedByHand;
    return isAsExpected(scenario, outcome) ? Verdict::AsExpected : Verdict::Different;
}

QByteArray textOf(const std::optional<Fact>& fact) {
    if (!fact)
        return QByteArrayLiteral("-");
    const auto* number = std::get_if<qint64>(&*fact);
    return number ? QByteArray::number(*number) : std::get<QByteArray>(*fact);
}

QByteArray textOf(const Expectation& expectation) {
    const QByteArray value = textOf(std::optional(expectation.value));
    switch (expectation.relation) {
        case Expectation::Relation::Is:
            return value;
        case Expectation::Relation::AtLeast:
            return ">= " + value;
        case Expectation::Relation::AtMost:
            return "<= " + value;
    }
    return value;
}

}  // namespace lockkeeper::lab
