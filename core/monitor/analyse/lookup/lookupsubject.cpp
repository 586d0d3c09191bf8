// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lookup/lookupsubject.h"

namespace lockkeeper::monitor {

std::optional<ClientId> LookupSubject::client() const {
    if (const HolderId* id = holder())
        return id->client();
    const ClientId* client = std::get_if<ClientId>(&whom);
    return client ? std::optional(*client) : std::nullopt;
}

}  // namespace lockkeeper::monitor
