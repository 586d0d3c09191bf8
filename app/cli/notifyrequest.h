// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "profile/storedprofile.h"

#include <QByteArray>
#include <QStringList>

#include <functional>
#include <optional>

namespace lockkeeper::app {

// A server that is watched as a service.
struct WatchedTarget {
    QString name;  // of the saved connection, or the server without a user and secrets
    profile::ConnectionProfile profile;
    std::optional<profile::StoredProfile> saved;  // with --profile
};

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
