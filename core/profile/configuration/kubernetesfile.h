// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/configurationfiles.h"
#include "profile/configuration/settings.h"

#include <QMap>

namespace lockkeeper::profile {

// What a ConfigMap or Secret of Kubernetes holds, as kubectl get -o yaml prints it. Those of the same name are one, in
// their namespace: an application has its settings in the one and its passwords in the other.
struct KubernetesData {
    QString name;                      // namespace/name; may be empty
    QList<ConfigurationFile> files;    // entries with the name of a file
    QMap<QString, QString> variables;  // all others: an application may have them in its environment
};

// Nothing if none of the documents is of Kubernetes. Errors: InvalidArgument with NotBase64 or TooManyFiles.
[[nodiscard]] Result<std::optional<QList<KubernetesData>>> kubernetesData(const QList<SettingValue>& documents);

}  // namespace lockkeeper::profile
