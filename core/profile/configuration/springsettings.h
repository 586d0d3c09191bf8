// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/placeholders.h"
#include "profile/configuration/redissonconfig.h"
#include "profile/configuration/springtree.h"

namespace lockkeeper::profile {

// One document of Spring.
struct SpringDocument {
    SettingValue root;
    QStringList conditions;  // each must hold: of the document itself, and the profile in its file's name
    bool namesServers = false;
    QString file;  // its name; empty for the one that was opened
};

[[nodiscard]] SpringDocument springDocument(const SettingValue& root, const QString& profileOfFile);
// The settings without those for a profile of Quarkus, as %prod.quarkus.redisson.threads; then a document for each such
// profile.
[[nodiscard]] QList<SpringDocument> quarkusDocuments(const SpringDocument& document);
// Whether a document is Spring's and not Redisson's own.
[[nodiscard]] bool isOfSpring(const SettingValue& document);

// Where the settings of Redisson are.
struct SpringServers {
    enum class Where {
        Nowhere,
        Here,  // `setting` is their group
        Text,  // `setting` is a text in YAML or JSON
        File   // `setting` names a file
    };

    Where where = Where::Nowhere;
    Setting setting;
    QList<RedissonNote> notes;
    std::optional<Error> fault;  // what cannot be used
};

// What the documents say: Redisson's own settings, else those of Spring Data as the settings of Redisson that mean the
// same. variables: those of the documents.
[[nodiscard]] SpringServers springServers(const SpringTree& tree, Placeholders& variables);

}  // namespace lockkeeper::profile
