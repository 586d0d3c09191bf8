// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "jvm/fetch/dumpplan.h"
#include "ui/base/fitteddialog.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// The client whose dump is wanted, and what is known for that.
struct FetchSubject {
    enum class Server { Real, Demo };

    ClientId client;
    QString name;   // for words: alias or UUID
    QString place;  // "10.0.0.7:53422" as the server has shown it; empty if it is not known for certain
    profile::DumpSettings settings;
    Server server = Server::Real;
};

// Shows the exact command or request that gets a thread dump before anything runs, asks whether the process that was
// found is the right one, and shows how it goes. It runs nothing itself.
class FetchDumpDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit FetchDumpDialog(FetchSubject subject, QWidget* parent = nullptr);

    void showProcesses(const QList<jvm::RemoteProcess>& processes);
    void showFirstTaken();
    void showFailure(const Error& error);

    void reject() override;

Q_SIGNALS:
    void searchWanted(const lockkeeper::jvm::ProcessSearch& search);
    void dumpWanted(const lockkeeper::jvm::DumpOrder& order);
    // What runs is to end; showFailure() follows.
    void cancelWanted();
    // A file is to be read instead.
    void fileWanted();

private:
    using Plan = std::variant<Error, jvm::ProcessSearch, jvm::DumpOrder>;

    void makeParts();
    void makeLayout();
    void retranslate();
    void showPlan();
    void run();
    void copy() const;
    void setRunning(bool isRunning);
    [[nodiscard]] Plan plan() const;
    [[nodiscard]] Plan sshPlan(const std::optional<jvm::ClientPlace>& place) const;
    [[nodiscard]] QStringList command(const Plan& plan) const;
    [[nodiscard]] QString planText(const Plan& plan) const;
    [[nodiscard]] QString whatText() const;
    [[nodiscard]] QString processText(const jvm::RemoteProcess& process) const;
    [[nodiscard]] bool needsPlace() const;
    // Whether the password goes to a host that the connection does not list.
    [[nodiscard]] bool needsConfirmation() const;

    const FetchSubject m_subject;
    QList<jvm::RemoteProcess> m_processes;  // that were found
    bool m_isRunning = false;
    bool m_isFirstTaken = false;
    std::optional<Error> m_failure;
    QLabel* m_what;
    QLabel* m_placeCaption;
    QLineEdit* m_place;
    QLabel* m_planCaption;
    QPlainTextEdit* m_planText;
    QLabel* m_processCaption;
    QComboBox* m_process;
    QCheckBox* m_confirm;
    QCheckBox* m_twice;
    InlineMessage* m_message;
    QPushButton* m_run;
    QPushButton* m_copy;
    QPushButton* m_file;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
