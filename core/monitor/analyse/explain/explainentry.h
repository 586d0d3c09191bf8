// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorfinding.h"
#include "monitor/analyse/explain/phrasescan.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockkeeper::monitor {

// A scan for the words of all families.
[[nodiscard]] PhraseScan scanForFamilies();

// Where some of these words were found: bytes in an entry.
struct PhraseHit {
    int phrase = PhraseScan::nothing;
    size_t begin = 0;
    size_t end = 0;
};
// begin of a phrase that ends there.
[[nodiscard]] size_t beginOfPhrase(int phrase, std::string_view text, size_t end);

// An entry of a log: a message with the lines that belong to it, in plain words (plainLine()).
struct LogEntry {
    std::string_view text;
    std::string_view head;  // the line with the entry's time, if that line is not in the text; empty: none
    bool isAtEnd = false;   // the text ends here, so it may be cut
    bool endsOpen = false;  // it ends within a line
};

struct FoundInEntry {
    ErrorFinding finding;
    size_t at = 0;  // byte in the entry
};

// What the entry says about locks, each once. Pure. Errors that are not about locks are none, however alike they are.
[[nodiscard]] std::vector<FoundInEntry> explainEntry(const LogEntry& entry, const std::vector<PhraseHit>& hits,
                                                     const QTimeZone& zone);

}  // namespace lockkeeper::monitor
