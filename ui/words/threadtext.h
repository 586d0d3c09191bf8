// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/holderthread.h"
#include "monitor/model/threadverdict.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/holderaliases.h"

namespace lockkeeper::ui {

// Where the dump comes from, when it was taken, and how many threads it has, as a sentence.
[[nodiscard]] QString dumpText(const jvm::ThreadDump& dump);
// That a dump claims to be later than its reading, and what follows from it.
[[nodiscard]] QString timeAheadText();
// That there are dumps of several JVMs, as a sentence.
[[nodiscard]] QString severalJvmsText(const jvm::DumpReading& reading);
// Whether the dump is of the client, and why, as a sentence or two.
[[nodiscard]] QString matchText(const jvm::DumpMatch& match, const HolderAliases& aliases = {});
// "works", "sleeps", "has ended" and the like with where, as a sentence or two about the thread of a holder or waiter.
[[nodiscard]] QString threadText(const jvm::HolderThread& thread);
// threadText(), and whether it is certain or likely, where the dump says something of the thread.
[[nodiscard]] QString surenessText(const jvm::HolderThread& thread);
// What the newest dump of its client says about a holder or a waiter, as sentences: what the thread does or that it has
// ended, from which dump, and whether that was taken during the hold. clock: writes times.
[[nodiscard]] QString verdictText(const monitor::ThreadVerdict& verdict, const WriteTime& clock);
// The first sentence of it, or that the dump says nothing about this hold; for a line in a list.
[[nodiscard]] QString verdictLine(const monitor::ThreadVerdict& verdict);
// The same of an event, without the time of the dump.
[[nodiscard]] QString seenThreadText(const monitor::SeenThread& thread);
// The frames, a line each, the innermost first; several of the JDK and of libraries in a row are one line.
[[nodiscard]] QStringList stackLines(const monitor::DumpedThread& thread);
// When the newest dump of a client was taken, and "perhaps" if it may be of another one; and the same as sentences.
[[nodiscard]] QString dumpOfClientText(const monitor::ClientDump& dump, WallTime now);
[[nodiscard]] QString dumpOfClientHelp(const monitor::ClientDump& dump);
// "com.example.Jobs.report (Jobs.java:7)".
[[nodiscard]] QString frameText(const jvm::Frame& frame);

}  // namespace lockkeeper::ui
