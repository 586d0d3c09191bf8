// SPDX-License-Identifier: Apache-2.0
#include "ui/events/loggedevent.h"

#include "ui/audit/auditentry.h"
#include "ui/words/eventtext.h"

namespace lockkeeper::ui {

QString detailOf(const LoggedEvent& event) {
    return event.doneBy ? changeDetail(*event.doneBy) : eventDetail(event);
}

}  // namespace lockkeeper::ui
