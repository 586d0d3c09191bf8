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
    // Of an imported document: the file whose place in the order it has.
    std::optional<QString> importedBy{};
    QStringList notImported{};  // locations that it imports, and that are not read
};

[[nodiscard]] SpringDocument springDocument(const SettingValue& root, const QString& profileOfFile);
// The settings without those for a profile of Quarkus, as %prod.quarkus.redisson.threads; then a document for each such
// profile.
[[nodiscard]] QList<SpringDocument> quarkusDocuments(const SpringDocument& document);
// Whether a document is Spring's and not Redisson's own.
[[nodiscard]] bool isOfSpring(const SettingValue& document);

// Files in PEM that a bundle of Spring (spring.ssl.bundle.pem) names. A text may be the content itself.
struct PemFiles {
    std::optional<Setting> authorities{};
    std::optional<Setting> certificate{};
    std::optional<Setting> key{};
    QString passphrase{};  // of the key
};

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
    PemFiles pem{};
};

// One entry of spring.config.import.
struct SpringImport {
    QString text;   // as in the file, without "optional:"
    QString shown;  // without what may be secret
};
// What the document imports, in its order. At most 100.
[[nodiscard]] QList<SpringImport> springImports(const SettingValue& root);

// What the documents say: Redisson's own settings, else those of Spring Data as the settings of Redisson that mean the
// same. variables: those of the documents.
[[nodiscard]] SpringServers springServers(const SpringTree& tree, Placeholders& variables);

}  // namespace lockkeeper::profile
