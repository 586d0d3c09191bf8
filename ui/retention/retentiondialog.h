#pragma once

#include "history/eventstore.h"

#include <QDialog>
#include <QPointer>

class QCheckBox;
class QLabel;
class QMessageBox;
class QPushButton;
class QSpinBox;

namespace lockkeeper::ui {

// How much of the past is kept on disk, and the way to delete what is there.
class RetentionDialog final : public QDialog {
    Q_OBJECT
public:
    // server: whose history may be deleted; empty while there is no connection.
    RetentionDialog(const history::Retention& retention, const QString& server, QWidget* parent = nullptr);

Q_SIGNALS:
    void retentionChosen(const lockkeeper::history::Retention& retention);
    // Asked for and confirmed.
    void forgetWanted();

private:
    void makeLayout();
    void retranslate();
    void retranslateQuestion();
    void showState();
    void askToForget();
    void choose();
    [[nodiscard]] history::Retention chosen() const;
    [[nodiscard]] QString meaningOfKeeping() const;

    const QString m_server;
    QCheckBox* m_keep;
    QLabel* m_daysLabel;
    QSpinBox* m_days;
    QLabel* m_eventsLabel;
    QSpinBox* m_events;
    QLabel* m_room;
    QLabel* m_meaning;
    QPushButton* m_forget;
    QPointer<QMessageBox> m_question;
    QPushButton* m_confirm = nullptr;  // of the question
};

}  // namespace lockkeeper::ui
