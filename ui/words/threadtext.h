// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/holderthread.h"
#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// Where the dump comes from, when it was taken, and how many threads it has, as a sentence.
[[nodiscard]] QString dumpText(const jvm::ThreadDump& dump);
// Whether the dump is of the client, and why, as a sentence or two.
[[nodiscard]] QString matchText(const jvm::DumpMatch& match, const HolderAliases& aliases = {});
// "works", "sleeps", "has ended" and the like with where, as a sentence or two about the thread of a holder or waiter.
[[nodiscard]] QString threadText(const jvm::HolderThread& thread);
// "com.example.Jobs.report (Jobs.java:7)".
[[nodiscard]] QString frameText(const jvm::Frame& frame);

}  // namespace lockkeeper::ui
