// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configurationfiles.h"
#include "profile/settings.h"

#include <QHash>

namespace lockkeeper::profile {

// What ConfigMaps and Secrets of Kubernetes hold, as kubectl get -o yaml prints them.
struct KubernetesData {
    QList<ConfigurationFile> files;     // entries with the name of a file
    QHash<QString, QString> variables;  // all others: an application may have them in its environment
};

// Nothing if none of the documents is of Kubernetes.
[[nodiscard]] std::optional<KubernetesData> kubernetesData(const QList<SettingValue>& documents);

}  // namespace lockkeeper::profile
