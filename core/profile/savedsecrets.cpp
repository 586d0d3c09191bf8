// SPDX-License-Identifier: Apache-2.0
#include "profile/savedsecrets.h"

#include <memory>
#include <vector>

namespace lockkeeper::profile {

namespace {

struct MissingSecret {
    SecretKey key;
    QByteArray* place;
};

// The profile that is being completed, and where in it secrets are missing.
struct Completing {
    ConnectionProfile profile;
    std::vector<MissingSecret> missing;
    Completion<ConnectionProfile> done;
};

void addIfEmpty(std::vector<MissingSecret>& missing, const SecretKey& key, QByteArray& place) {
    if (place.isEmpty())
        missing.push_back({key, &place});
}

void readNext(SecretStore& secrets, const std::shared_ptr<Completing>& completing) {
    if (completing->missing.empty()) {
        completing->done.complete(completing->profile);
        return;
    }
    const MissingSecret next = completing->missing.back();
    completing->missing.pop_back();
    secrets.read(next.key).then([&secrets, completing, next](const Result<SecretStore::Secret>& found) {
        if (found && *found)
            *next.place = **found;
        readNext(secrets, completing);
    });
}

}  // namespace

Completion<ConnectionProfile> withSecrets(SecretStore& secrets, const ConnectionProfile& profile) {
    const auto completing = std::make_shared<Completing>();
    completing->profile = profile;
    ConnectionProfile& complete = completing->profile;
    addIfEmpty(completing->missing, SecretKey::passwordOf(profile), complete.credentials.password);
    if (complete.namesPrivateKey())
        addIfEmpty(completing->missing, SecretKey::keyPassphraseOf(profile), complete.endpoint.keyPassphrase);
    if (complete.deployment.sentinels)
        addIfEmpty(completing->missing, SecretKey::sentinelPasswordOf(profile),
                   complete.deployment.sentinels->credentials.password);
    if (!complete.writing.user.isEmpty())
        addIfEmpty(completing->missing, SecretKey::writingPasswordOf(profile), complete.writing.password);
    if (!complete.dumps.credentials.user.isEmpty())
        addIfEmpty(completing->missing, SecretKey::dumpPasswordOf(profile), complete.dumps.credentials.password);
    const Completion<ConnectionProfile> done = completing->done;
    readNext(secrets, completing);
    return done;
}

}  // namespace lockkeeper::profile
