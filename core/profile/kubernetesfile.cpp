// SPDX-License-Identifier: Apache-2.0
#include "profile/kubernetesfile.h"

#include "base/exacttext.h"

namespace lockkeeper::profile {

namespace {

constexpr int deepestList = 3;
constexpr qsizetype mostData = 1000;

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
            add(object, QStringLiteral("data"), isSecret);
            add(object, QStringLiteral("stringData"), false);
            add(object, QStringLiteral("binaryData"), true);
        }
        const Setting* items = settingOf(object.group, QStringLiteral("items"));
        for (const SettingValue& item : items ? items->value.list : QList<SettingValue>())
            read(item, depth + 1);
    }

    [[nodiscard]] std::optional<KubernetesData> found() const {
        return m_isFound ? std::optional(m_data) : std::nullopt;
    }

private:
    void add(const SettingValue& object, const QString& name, bool isEncoded) {
        const Setting* entries = settingOf(object.group, name);
        for (const Setting& entry : entries ? entries->value.group : SettingGroup()) {
            if (!entry.value.isText() || ++m_count > mostData)
                continue;
            const QByteArray bytes =
                isEncoded ? QByteArray::fromBase64(entry.value.text.toLatin1()) : entry.value.text.toUtf8();
            if (isConfigurationName(entry.name))
                m_data.files += {entry.name, bytes};
            else if (const std::optional<QString> text = decodedUtf8(bytes))
                m_data.variables.insert(entry.name, *text);
        }
    }

    KubernetesData m_data;
    bool m_isFound = false;
    qsizetype m_count = 0;
};

}  // namespace

std::optional<KubernetesData> kubernetesData(const QList<SettingValue>& documents) {
    KubernetesReader reader;
    for (const SettingValue& document : documents)
        reader.read(document, 0);
    return reader.found();
}

}  // namespace lockkeeper::profile
