// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/watchedtarget.h"
#include "metrics/figureoptions.h"

#include <QHostAddress>

namespace lockkeeper::app {

// What a command line says to `lockkeeper exporter`.
struct ExporterRequest {
    // No other exporter was found on it. The ports 9100 to 9999 of Prometheus's list are given away, 9121 to
    // redis_exporter.
    static constexpr quint16 usualPort = 19121;

    QList<WatchedTarget> targets;
    QHostAddress address = QHostAddress(QHostAddress::LocalHost);
    quint16 port = usualPort;
    QString webConfig;  // a file; empty: none
    metrics::FigureOptions figures;
    QString logFormat;
    QString logLevel;
};

}  // namespace lockkeeper::app
