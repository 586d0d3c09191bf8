// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/lockkindplay.h"

namespace lockkeeper::test {

// What all kinds of locks have in common, each with its own scripts. The test of a kind derives from this class and
// gets these cases. tst_lockwaiting tests the plain lock in more detail.
class LockKindTest : public LockKindPlay {
    Q_OBJECT

protected:
    using LockKindPlay::LockKindPlay;

private Q_SLOTS:
    void init() { start(); }
    void cleanup() { end(); }

    void takesAndGivesBack_data() { kinds(); }
    void takesAndGivesBack();
    void aReleaseOfWhatIsNotHeldIsRefused_data() { kinds(); }
    void aReleaseOfWhatIsNotHeldIsRefused();
    void aReleaseThatWakesNobodyEndsTheHold_data() { kinds(); }
    void aReleaseThatWakesNobodyEndsTheHold();
    void aMessageWakes_data();
    void aMessageWakes();
    void theWatchdogRenews_data() { kinds(); }
    void theWatchdogRenews();
    void asksByKind_data() { kinds(); }
    void asksByKind();
    void forces_data();
    void forces();

    // ---- events during an acquire, at each stage ----

    void aCallEndsSoonAfterItIsCancelled_data() { stages(); }
    void aCallEndsSoonAfterItIsCancelled();
    void aCallEndsWithItsClient_data() { stages(); }
    void aCallEndsWithItsClient();
    void aCallEndsWhenItsTimeIsOver_data() { stages(); }
    void aCallEndsWhenItsTimeIsOver();
    void whatWasTakenTooLateIsGivenBack_data();
    void whatWasTakenTooLateIsGivenBack();
    void aTryThatWasLeftAndLostIsSettled_data();
    void aTryThatWasLeftAndLostIsSettled();
    void aLostAnswerIsSettledAndThenTriedAnew_data() { kinds(); }
    void aLostAnswerIsSettledAndThenTriedAnew();

    // ---- events during a release, a force, a query ----

    void aReleaseWithoutConnectionChangesNothing_data() { kinds(); }
    void aReleaseWithoutConnectionChangesNothing();
    void aLostReleaseIsUnknownAndSettled_data() { kinds(); }
    void aLostReleaseIsUnknownAndSettled();
    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen_data();
    void aLateReleaseIsUnknownAndSettledWhenItDidNotHappen();
    void aLateReleaseThatFoundNoHoldIsALoss_data() { kinds(); }
    void aLateReleaseThatFoundNoHoldIsALoss();
    void aReleaseEndsWithItsClient_data() { kinds(); }
    void aReleaseEndsWithItsClient();
    void anUnansweredForceIsUnknown_data() { losses(); }
    void anUnansweredForceIsUnknown();
    void anUnansweredQuestionFails_data() { losses(); }
    void anUnansweredQuestionFails();
};

}  // namespace lockkeeper::test
