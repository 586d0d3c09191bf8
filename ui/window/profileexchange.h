// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profileexchange.h"

#include <QObject>
#include <QPointer>

class QFileDialog;
class QMessageBox;

namespace lockkeeper::ui {

class KnownConnections;
class MainWindow;

// Takes the saved connections into a file and back, and asks what becomes of those that are known with other settings.
class ProfileExchange final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    ProfileExchange(KnownConnections& known, MainWindow& window);

    void askForExport();
    void askForImport();

private:
    [[nodiscard]] QFileDialog* makeDialog(const QString& objectName);
    void write(const QString& path);
    void read(const QString& path);
    void refuse(const QString& path, profile::ProfileFileFault fault);
    void ask(const QList<profile::StoredProfile>& imported, const QList<profile::StoredProfile>& conflicts);
    void nameQuestion(const QList<profile::StoredProfile>& conflicts);
    void import(const QList<profile::StoredProfile>& imported, profile::SameId sameId);

    KnownConnections& m_known;
    MainWindow& m_window;
    QPointer<QFileDialog> m_file;
    QPointer<QMessageBox> m_question;
};

}  // namespace lockkeeper::ui
