// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration.h"

#include <QHash>
#include <QObject>

class QWidget;

namespace lockkeeper::ui {

// Opens a configuration of Redisson or Spring for a dialog: the file is chosen, its variables and its profile are asked
// for, and what it says is handed on. Thread: the GUI's.
class RedissonFile final : public QObject {
    Q_OBJECT
public:
    // The result of a file: its configuration, or why it cannot be used.
    struct Reading {
        QString file;
        Result<profile::RedissonConnection> connection;
    };

    explicit RedissonFile(QWidget& dialog);

    void askForFile();
    void open(const QString& path);

Q_SIGNALS:
    void done(const lockkeeper::ui::RedissonFile::Reading& reading);

private:
    // A file, with what the user has said about it.
    struct Content {
        QString name;
        profile::ConfigurationFiles files;
        QHash<QString, QString> values;        // of its variables
        std::optional<QString> springProfile;  // nothing: not asked for yet
    };

    void readArchive(const QString& path);
    void read(const QString& name, const Result<profile::ConfigurationFiles>& files);
    void read(const Content& content);
    void askForVariables(const Content& content, const QStringList& names);
    // found: what the file says without any of the profiles.
    void askForProfile(const Content& content, const QStringList& profiles,
                       const Result<profile::RedissonConnection>& found);

    QWidget& m_dialog;
};

}  // namespace lockkeeper::ui
