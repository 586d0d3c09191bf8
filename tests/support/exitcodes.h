// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exit codes as resources/manual/command-line.md promises them. Not those of app/cli/exitcode.h: a number that changes
// there must fail a test.
namespace lockkeeper::test::exitcode {

inline constexpr int unchanged = 1;
inline constexpr int otherOutcome = 1;
inline constexpr int usage = 2;
inline constexpr int noConnection = 3;
inline constexpr int otherHolder = 4;
inline constexpr int outcomeUnknown = 5;
inline constexpr int auditNotPossible = 6;
inline constexpr int denied = 7;
inline constexpr int alreadyFree = 8;
inline constexpr int refused = 9;
inline constexpr int chainBroken = 10;
inline constexpr int outputFailed = 74;
inline constexpr int notInTime = 75;
inline constexpr int lostWhileRunning = 76;
inline constexpr int mayBeLeft = 77;
inline constexpr int notExecutable = 126;
inline constexpr int notFound = 127;
inline constexpr int signalled = 128;  // and the number of the signal

}  // namespace lockkeeper::test::exitcode
