// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/watchedtarget.h"

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::app {

// What the options of `notify` say, as texts where `lockkeeper` itself does not know what they mean.
struct NotifyRequest {
    QList<WatchedTarget> targets;
    QStringList rules;
    QByteArray webhook;       // a URL, with secrets perhaps; empty: exec
    QString webhookCa;        // a file; empty: the system's authorities
    bool isInsecure = false;  // http is allowed
    QString formName;         // of a chat service, or a file; empty: JSON
    QByteArray secret;
    QString exec;  // a command
    QString stateFolder;
    bool isTest = false;
    QString logFormat;
    QString logLevel;
};

}  // namespace lockkeeper::app
