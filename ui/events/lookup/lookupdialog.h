// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/explain/errorstate.h"
#include "monitor/format/lookuptext.h"
#include "ui/base/fitteddialog.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/lookupwords.h"
#include "ui/words/viewtime.h"

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

class FindingsView;
class LookupInput;

// Takes a pasted error, log line or id, names the client or lock it is about, and shows what happened to its locks.
class LookupDialog final : public FittedDialog {
    Q_OBJECT
public:
    enum class Server { Missing, Known };

    // time outlives the dialog.
    explicit LookupDialog(const ViewTime& time, QWidget* parent = nullptr);

    void setText(const QString& text);
    void setKnowledge(const HolderKnowledge& knowledge);
    // What is known belongs to a server: without one nothing can be looked up.
    void setServer(Server server);
    void showReport(const monitor::LookupReport& report, const LookupLimits& limits);
    // The answer to textEntered() and fileChosen(): the errors in the text. zone: in which times without a zone were
    // taken.
    void showErrors(const monitor::ErrorReport& report, const QString& zone);
    // Why the chosen file could not be read.
    void showUnreadable(const QString& why);

Q_SIGNALS:
    // The text is to be searched for errors; it may be of any size.
    void textEntered(const QString& text);
    // A file is to be searched for errors.
    void fileChosen(const QString& path);
    // The user has chosen one of the clients and locks that the text names; showReport() is the answer.
    void subjectWanted(const lockkeeper::monitor::LookupSubject& subject);
    void lockChosen(const lockkeeper::LockName& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeText();
    void makeResult();
    void makeLayout();
    void readText();
    void takeLargeText(const QString& text);
    void chooseFile();
    void askOfFinding();
    void lookUp(const std::optional<monitor::LookupSubject>& subject);
    void fillChoice();
    void ask();
    void showFound();
    void clearReport();
    void retranslate();
    void showResult();
    void fitColumns();
    void showDiagnoses(const monitor::LookupReport& report);
    void fitDiagnoses();
    void showHolds(const monitor::LookupReport& report);
    void addGroup(const QString& title, const std::vector<monitor::PastHold>& holds);
    void addHold(QTreeWidgetItem& group, const monitor::PastHold& hold);
    [[nodiscard]] QString endText(const monitor::PastHold& hold) const;
    [[nodiscard]] QString identity() const;

    const ViewTime& m_time;
    HolderKnowledge m_knowledge;
    monitor::LookupText m_found;
    std::optional<monitor::LookupSubject> m_asked;
    std::optional<monitor::LookupReport> m_report;  // that is shown
    LookupLimits m_reportLimits;                    // of that report
    Server m_server = Server::Known;
    LookupInput* m_text;
    QPushButton* m_file;
    FindingsView* m_findings;
    QString m_source;  // what is searched in place of the text: a file, or a text that is too large to be shown
    QLabel* m_foundText;
    QComboBox* m_choice;
    QPushButton* m_again;
    QLabel* m_identity;
    QLabel* m_headline;
    QScrollArea* m_diagnoses;
    QTreeWidget* m_holds;
    QLabel* m_limits;
};

}  // namespace lockkeeper::ui
