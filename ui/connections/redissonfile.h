// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/filethread.h"
#include "profile/configuration/configuration.h"

#include <QHash>
#include <QObject>

class QWidget;

namespace lockkeeper::ui {

// Opens a configuration of Redisson or Spring for a dialog: the file is chosen, its variables and its profile are asked
// for, and what it says is handed on. Files are read on the thread for files: a jar may have thousands of entries.
// Thread: the GUI's.
class RedissonFile final : public QObject {
    Q_OBJECT
public:
    // The result of a file: its configuration, or why it cannot be used.
    struct Reading {
        QString file;
        Result<profile::RedissonConnection> connection;
    };

    // files: outlives this object.
    RedissonFile(QWidget& dialog, FileThread& files);

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

    void read(const Content& content);
    void use(const Content& content, const Result<profile::RedissonConnection>& found);
    void askForVariables(const Content& content, const QStringList& names);
    // found: what the file says without any of the profiles.
    void askForProfile(const Content& content, const QStringList& profiles,
                       const Result<profile::RedissonConnection>& found);

    QWidget& m_dialog;
    FileThread& m_files;
};

}  // namespace lockkeeper::ui
