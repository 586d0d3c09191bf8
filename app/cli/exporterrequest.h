// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/figureoptions.h"
#include "profile/storedprofile.h"

#include <QHostAddress>

#include <optional>
#include <vector>

namespace lockkeeper::app {

// What a command line says to `lockkeeper exporter`.
struct ExporterRequest {
    // One of no other exporter: the ports 9100 to 9999 of Prometheus's list are given away, 9121 to redis_exporter.
    static constexpr quint16 usualPort = 19121;

    struct Target {
        QString name;                                   // without secrets
        profile::ConnectionProfile profile;             // not of the demo
        std::optional<profile::StoredProfile> saved{};  // of --profile
        bool isDemo = false;
    };

    std::vector<Target> targets;
    QHostAddress address = QHostAddress(QHostAddress::LocalHost);
    quint16 port = usualPort;
    QString webConfig;  // a file; empty: none
    metrics::FigureOptions figures;
};

}  // namespace lockkeeper::app
