// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/loggedevent.h"

#include "ui/events/audit/auditentry.h"
#include "ui/words/eventtext.h"

namespace lockkeeper::ui {

QString detailOf(const LoggedEvent& event) {
    return event.doneBy ? changeDetail(*event.doneBy) : eventDetail(event);
}

}  // namespace lockkeeper::ui
