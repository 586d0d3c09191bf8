// SPDX-License-Identifier: Apache-2.0
#include "session/sessionreport.h"

namespace lockkeeper {

std::optional<SessionReport> refusalOf(OperationId id, const SessionRequest& request, const Error& why) {
    if (const auto* operation = std::get_if<control::Operation>(&request))
        return OperationFinished{id, control::failure(control::lockOf(*operation), why)};
    if (const auto* search = std::get_if<monitor::HolderSearch>(&request))
        return HolderIdentified{id, monitor::unknownIdentity(search->client, why)};
    if (std::holds_alternative<recording::CaptureRequest>(request))
        return MonitorCaptured{id, {nullptr, {}, why}};
    if (std::holds_alternative<CheckServer>(request))
        return ServerChecked{nullptr, why};
    if (std::holds_alternative<jvm::ProcessSearch>(request))
        return ProcessesFound{id, why};
    if (std::holds_alternative<jvm::DumpOrder>(request))
        return DumpsTaken{id, why};
    return std::nullopt;
}

}  // namespace lockkeeper
