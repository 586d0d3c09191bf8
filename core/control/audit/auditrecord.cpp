// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditrecord.h"

namespace lockkeeper::control {

AuditOutcome auditOutcomeOf(ErrorCode error) {
    switch (error) {
        case ErrorCode::NotAnnounced:
            return AuditOutcome::Done;  // its waiters were not woken
        case ErrorCode::Cancelled:
        case ErrorCode::OutcomeUnknown:
        case ErrorCode::Protocol:
            return AuditOutcome::Unknown;
        case ErrorCode::ConnectionLost:
        case ErrorCode::NotArmed:
            return AuditOutcome::NotSent;
        default:
            return AuditOutcome::Failed;
    }
}

}  // namespace lockkeeper::control
