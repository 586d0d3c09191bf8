// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/redissonconfig.h"

#include <QHash>
#include <QObject>

class QWidget;

namespace lockkeeper::ui {

// Opens a configuration of Redisson for a dialog: the file is chosen, its variables are asked for, and what it says is
// handed on. Thread: the GUI's.
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
    // A file, with the values that the user has entered for its variables.
    struct Content {
        QString name;
        QByteArray bytes;
        QHash<QString, QString> values;
    };

    void read(const Content& content);
    void askForVariables(const Content& content, const QStringList& names);

    QWidget& m_dialog;
};

}  // namespace lockkeeper::ui
