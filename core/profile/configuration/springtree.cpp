// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/springtree.h"

#include "base/safetext.h"

#include <algorithm>
#include <array>

namespace lockkeeper::profile {

namespace {

constexpr qsizetype deepestPath = 40;
// Groups whose names are addresses, in which a dot separates nothing.
constexpr std::array groupsOfAddresses{QLatin1String("hostsmap"), QLatin1String("hostsportmap"),
                                       QLatin1String("natmap")};

bool isIndex(const QString& part) {
    return part.startsWith(QLatin1Char('['));
}

// "a.b[0].c" is a, b, [0] and c; "a[x.y]" is a and x.y.
QStringList partsOf(const QString& name) {
    QStringList parts;
    QString part;
    const auto end = [&] {
        if (!part.isEmpty())
            parts += std::exchange(part, QString());
    };
    for (qsizetype at = 0; at < name.size(); ++at) {
        const QChar character = name.at(at);
        const qsizetype close = character == QLatin1Char('[') ? name.indexOf(QLatin1Char(']'), at) : -1;
        if (close > at) {
            end();
            bool isNumber = false;
            const QString inside = name.mid(at + 1, close - at - 1);
            (void)inside.toInt(&isNumber);
            parts += isNumber ? name.mid(at, close - at + 1) : inside;
            at = close;
        } else if (character == QLatin1Char('.')) {
            end();
        } else {
            part += character;
        }
    }
    end();
    return parts;
}

Setting named(const QString& name, const Setting& of, const SettingValue& value) {
    return {name, comparableName(name), of.line, of.file, value};
}

int listIndex(const QString& key) {
    return key.mid(1, key.size() - 2).toInt();
}

}  // namespace

void SpringTree::add(const SettingValue& document) {
    ++m_document;
    for (const Setting& setting : document.group)
        put(m_root, partsOf(setting.name), setting);
}

void SpringTree::addVariable(const QString& name, const QString& text, const QString& file) {
    ++m_document;
    QString path = name.toLower();
    path.replace(QLatin1Char('_'), QLatin1Char('.'));
    put(m_root, partsOf(path), {name, comparableName(name), 0, file, textValue(text, 0)});
}

void SpringTree::put(Branch& parent, const QStringList& path, const Setting& setting) {
    if (path.isEmpty() || path.size() > deepestPath)
        return;
    Branch* branch = &parent;
    for (const QString& part : path) {
        std::unique_ptr<Branch>& below = branch->below[comparableName(part)];
        if (!below) {
            below = std::make_unique<Branch>();
            below->setting = named(part, setting, {});
        }
        branch = below.get();
    }
    put(*branch, named(path.last(), setting, setting.value), path.size());
}

void SpringTree::put(Branch& branch, const Setting& setting, qsizetype depth) {
    if (++m_count > most || depth > deepestPath)
        return;
    SettingValue own = setting.value;
    own.list.clear();
    own.group.clear();
    const bool isGroup = setting.value.isGroup();
    branch.isRepeated = !isGroup && branch.document == m_document;
    branch.document = isGroup ? 0 : m_document;
    if (!isGroup)
        branch.below.clear();
    // A group whose names cannot be read, as {{ a template }}, is not nothing.
    const bool isFilled = isGroup && !setting.value.group.isEmpty();
    own.type = setting.value.isText() ? SettingValue::Type::Text
               : isFilled             ? SettingValue::Type::Group
                                      : SettingValue::Type::None;
    branch.setting = named(setting.name, setting, own);
    int index = 0;
    for (const SettingValue& item : setting.value.list) {
        const QString name = QStringLiteral("[%1]").arg(index++);
        std::unique_ptr<Branch>& below = branch.below[name];
        below = std::make_unique<Branch>();
        put(*below, {name, name, item.line, setting.file, item}, depth + 1);
    }
    const bool hasAddresses = std::ranges::find(groupsOfAddresses, setting.key) != groupsOfAddresses.end();
    for (const Setting& one : setting.value.group)
        put(branch, hasAddresses ? QStringList{one.name} : partsOf(one.name), one);
}

const SpringTree::Branch* SpringTree::find(const QString& path) const {
    const Branch* branch = &m_root;
    for (const QString& part : partsOf(path)) {
        const auto below = branch->below.find(comparableName(part));
        if (below == branch->below.end())
            return nullptr;
        branch = below->second.get();
    }
    return branch;
}

std::optional<Setting> SpringTree::at(const QString& path) const {
    const Branch* branch = find(path);
    if (!branch)
        return std::nullopt;
    const Setting found = whole(*branch);
    return found.value.isNone() ? std::nullopt : std::optional(found);
}

std::optional<Setting> SpringTree::emptyAt(const QString& path) const {
    const Branch* branch = find(path);
    const bool isEmpty = branch && branch->setting.value.isNone() && branch->below.empty();
    return isEmpty ? std::optional(branch->setting) : std::nullopt;
}

std::optional<QString> SpringTree::textAt(const QString& path) const {
    const Branch* branch = find(path);
    return branch && branch->setting.value.isText() ? std::optional(branch->setting.value.text) : std::nullopt;
}

QStringList SpringTree::repeatedBelow(const QString& path) const {
    QStringList paths;
    if (const Branch* branch = find(path))
        addRepeated(*branch, path, paths);
    return paths;
}

void SpringTree::addRepeated(const Branch& branch, const QString& path, QStringList& paths) {
    constexpr qsizetype mostRepeated = 20;
    if (branch.isRepeated && paths.size() < mostRepeated)
        paths += safeText(bounded(path));
    for (const auto& [key, below] : branch.below)
        addRepeated(*below, path + QLatin1Char('.') + below->setting.name, paths);
}

Setting SpringTree::whole(const Branch& branch) {
    Setting setting = branch.setting;
    if (branch.below.empty())
        return setting;
    const bool isList = std::ranges::all_of(branch.below, [](const auto& below) { return isIndex(below.first); });
    QList<Setting> below;
    for (const auto& [key, one] : branch.below)
        below += whole(*one);
    // In the order of the file.
    const auto isBefore = [isList](const Setting& a, const Setting& b) {
        return isList ? listIndex(a.key) < listIndex(b.key) : a.line < b.line;
    };
    std::stable_sort(below.begin(), below.end(), isBefore);
    setting.value.type = isList ? SettingValue::Type::List : SettingValue::Type::Group;
    for (const Setting& one : std::as_const(below)) {
        if (isList)
            setting.value.list += one.value;
        else
            setting.value.group += one;
    }
    return setting;
}

}  // namespace lockkeeper::profile
