// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"

namespace lockkeeper::profile {

// How to get a thread dump of a client's JVM.
enum class DumpWay {
    None,      // a file that the user has
    Actuator,  // Spring Boot's /threaddump
    Ssh,       // jcmd on the client's machine
    Kubectl    // jcmd in the client's pod
};

// What the user has set for the ways. {host} stands for the address of the client, as the server sees it.
struct DumpSettings {
    DumpWay way = DumpWay::None;
    QString url;                     // Actuator: "https://{host}:8081/actuator/threaddump"
    redis::Credentials credentials;  // Actuator; without a user: none are sent
    QStringList hosts;               // Actuator: hosts that receive the password without a question
    QString login;                   // Ssh: "user@{host}:port"; empty: "{host}"
    bool usesSudo = false;           // Ssh
    QString pod;                     // Kubectl
    QString kubeNamespace;           // Kubectl; empty: that of kubectl's configuration
    QString container;               // Kubectl; empty: the first one of the pod

    friend bool operator==(const DumpSettings&, const DumpSettings&) = default;
};

// What DumpSettings::url and login have in place of the client's address.
constexpr QLatin1String hostPlaceholder("{host}");

}  // namespace lockkeeper::profile
