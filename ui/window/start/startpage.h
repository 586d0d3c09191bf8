// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "profile/storedprofile.h"

#include <QPointer>
#include <QWidget>

class QAction;
class QKeySequence;
class QLabel;
class QListView;
class QMessageBox;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionModel;
class KnownConnections;
class MessageBar;

// What a tab shows before anything is connected in it: a welcome, and the connections that are known.
class StartPage final : public QWidget {
    Q_OBJECT
public:
    // All outlive it.
    StartPage(KnownConnections& known, Clock& clock, QWidget* parent = nullptr);

    [[nodiscard]] MessageBar& messages() noexcept { return *m_messages; }

Q_SIGNALS:
    void connectWanted();
    void demoWanted();
    void labWanted();
    // id: of an experiment of the lab.
    void experimentWanted(const QByteArray& id);
    void recordingWanted(const QString& path);
    void redissonFileWanted();
    void openWanted(const lockkeeper::profile::StoredProfile& stored);
    // stored: a recent connection, to be saved.
    void editWanted(const lockkeeper::profile::StoredProfile& stored);
    void duplicateWanted(const lockkeeper::profile::StoredProfile& stored);
    void removeWanted(const lockkeeper::profile::StoredProfile& stored);

protected:
    void showEvent(QShowEvent* event) override;

private:
    using Signal = void (StartPage::*)(const profile::StoredProfile&);

    void retranslate();
    [[nodiscard]] QWidget* makeWelcome();
    void makeList();
    void makeActions();
    [[nodiscard]] QAction* addAction(const QString& objectName, Signal signal);
    QAction* addMove(const QString& objectName, const QKeySequence& key, int place);
    void refresh();
    void updateActions();
    void confirmRemoval(const profile::StoredProfile& stored);
    void nameQuestion(const profile::StoredProfile& stored);
    [[nodiscard]] const profile::StoredProfile* current() const;

    KnownConnections& m_known;
    Clock& m_clock;
    ConnectionModel* m_model;
    QLabel* m_headline;
    QLabel* m_welcome;
    QPushButton* m_connect;
    QPushButton* m_demo;
    QPushButton* m_lab;
    QPushButton* m_redisson;
    QListView* m_list;
    QLabel* m_empty;
    MessageBar* m_messages;
    QAction* m_open = nullptr;
    QAction* m_edit = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_up = nullptr;
    QAction* m_down = nullptr;
    QAction* m_remove = nullptr;
    QPointer<QMessageBox> m_question;
};

}  // namespace lockkeeper::ui
