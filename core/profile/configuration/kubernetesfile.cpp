// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/kubernetesfile.h"

#include "base/exacttext.h"
#include "base/safetext.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/settingsparser.h"

#include <algorithm>

namespace lockkeeper::profile {

namespace {

constexpr int deepestList = 3;
constexpr qsizetype mostData = 1000;
constexpr qsizetype largestData = 1'000'000;  // bytes, of all together: aliases may repeat one

QString textIn(const SettingGroup& group, const QString& name) {
    const Setting* setting = settingOf(group, name);
    return setting && setting->value.isText() ? setting->value.text : QString();
}

class KubernetesReader {
public:
    void read(const SettingValue& object, int depth) {
        const QString kind = textIn(object.group, QStringLiteral("kind"));
        if (textIn(object.group, QStringLiteral("apiVersion")).isEmpty() || kind.isEmpty() || depth > deepestList)
            return;
        m_isFound = true;
        const bool isSecret = kind == QLatin1String("Secret");
        if (isSecret || kind == QLatin1String("ConfigMap")) {
            m_data = &dataOf(nameOf(object));
            add(object, QStringLiteral("data"), isSecret);
            add(object, QStringLiteral("stringData"), false);
            add(object, QStringLiteral("binaryData"), true);
        }
        const Setting* items = settingOf(object.group, QStringLiteral("items"));
        for (const SettingValue& item : items ? items->value.list : QList<SettingValue>())
            read(item, depth + 1);
    }

    [[nodiscard]] Result<std::optional<QList<KubernetesData>>> found() const {
        if (m_fault)
            return *m_fault;
        return m_isFound ? std::optional(m_objects) : std::nullopt;
    }

private:
    static QString nameOf(const SettingValue& object) {
        const Setting* metadata = settingOf(object.group, QStringLiteral("metadata"));
        if (!metadata)
            return {};
        const QString name = textIn(metadata->value.group, QStringLiteral("name"));
        const QString space = textIn(metadata->value.group, QStringLiteral("namespace"));
        return space.isEmpty() || name.isEmpty() ? name : space + QLatin1Char('/') + name;
    }

    // An object without a name is alone.
    KubernetesData& dataOf(const QString& name) {
        const auto known = std::find_if(m_objects.begin(), m_objects.end(),
                                        [&name](const KubernetesData& one) { return one.name == name; });
        if (known != m_objects.end() && !name.isEmpty())
            return *known;
        KubernetesData data;
        data.name = name;
        m_objects += data;
        return m_objects.last();
    }

    QByteArray decoded(const Setting& entry) {
        QByteArray text = entry.value.text.toLatin1();
        text.replace('\n', QByteArray()).replace(' ', QByteArray());
        const auto bytes = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
        if (!bytes && !m_fault)
            m_fault = Error(ErrorCode::InvalidArgument, RedissonCause::NotBase64,
                            {lineText(entry.line, entry.file), safeText(bounded(entry.name))});
        return bytes ? *bytes : QByteArray();
    }

    void add(const SettingValue& object, const QString& name, bool isEncoded) {
        const Setting* entries = settingOf(object.group, name);
        for (const Setting& entry : entries ? entries->value.group : SettingGroup()) {
            if (!entry.value.isText() || m_fault)
                continue;
            const QByteArray bytes = isEncoded ? decoded(entry) : entry.value.text.toUtf8();
            m_size += bytes.size();
            if (++m_count > mostData || m_size > largestData) {
                m_fault = Error(ErrorCode::InvalidArgument, RedissonCause::TooManyFiles,
                                {QString::number(mostData), QString::number(largestData)});
                continue;
            }
            if (isConfigurationName(entry.name))
                m_data->files += {entry.name, bytes};
            else if (const std::optional<QString> text = decodedUtf8(bytes))
                m_data->variables.insert(entry.name, *text);
        }
    }

    QList<KubernetesData> m_objects;
    KubernetesData* m_data = nullptr;  // of the object that is being read
    std::optional<Error> m_fault;
    bool m_isFound = false;
    qsizetype m_count = 0;
    qsizetype m_size = 0;
};

}  // namespace

Result<std::optional<QList<KubernetesData>>> kubernetesData(const QList<SettingValue>& documents) {
    KubernetesReader reader;
    for (const SettingValue& document : documents)
        reader.read(document, 0);
    return reader.found();
}

}  // namespace lockkeeper::profile
