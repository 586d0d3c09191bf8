// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/format/lookuptext.h"
#include "ui/base/fitteddialog.h"
#include "ui/events/lookup/lookupwords.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/viewtime.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QScrollArea;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

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

Q_SIGNALS:
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
    QPlainTextEdit* m_text;
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
