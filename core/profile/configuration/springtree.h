// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/settings.h"

#include <QStringList>

#include <map>
#include <memory>
#include <optional>

namespace lockkeeper::profile {

// The settings of several documents of Spring, each under its path: spring.redis.host is host in redis in spring,
// however a document writes it. Names are compared as comparableName() does. Time and memory are bounded.
class SpringTree {
public:
    // A later document replaces single settings of an earlier one, and whole lists.
    void add(const SettingValue& document);
    // An environment variable, as SPRING_REDIS_HOST for spring.redis.host.
    void addVariable(const QString& name, const QString& text, const QString& file);

    // The setting at a path, with all that is below it. Nothing: not there, or without a value.
    [[nodiscard]] std::optional<Setting> at(const QString& path) const;
    [[nodiscard]] std::optional<QString> textAt(const QString& path) const;
    // A setting that is there without a value.
    [[nodiscard]] std::optional<Setting> emptyAt(const QString& path) const;
    [[nodiscard]] bool has(const QString& path) const { return find(path) != nullptr; }
    // Whether not all settings are kept, because there are too many.
    [[nodiscard]] bool isFull() const noexcept { return m_count > most; }

    // The paths of settings below this one that a document has twice.
    [[nodiscard]] QStringList repeatedBelow(const QString& path) const;

    static constexpr qsizetype most = 50'000;

private:
    struct Branch {
        Setting setting;  // its value is of the type Text or None, and has the tag of a group
        std::map<QString, std::unique_ptr<Branch>> below;
        int document = 0;  // that has last set it
        bool isRepeated = false;
    };

    void put(Branch& parent, const QStringList& path, const Setting& setting);
    void put(Branch& branch, const Setting& setting, qsizetype depth);
    [[nodiscard]] const Branch* find(const QString& path) const;
    [[nodiscard]] static Setting whole(const Branch& branch);
    static void addRepeated(const Branch& branch, const QString& path, QStringList& paths);

    Branch m_root;
    qsizetype m_count = 0;
    int m_document = 0;
};

}  // namespace lockkeeper::profile
