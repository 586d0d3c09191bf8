// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "history/eventstore.h"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QMessageBox;
class QPushButton;
class QSpinBox;

namespace lockkeeper::ui {

// The fields of how much of the past is kept on disk, and the way to delete what is there.
class RetentionForm final : public QWidget {
    Q_OBJECT
public:
    static constexpr int mostDays = 3650;
    static constexpr int mostEvents = 50'000'000;

    // server: whose history may be deleted; empty while there is no connection.
    RetentionForm(const history::Retention& retention, const QString& server, QWidget* parent = nullptr);

    [[nodiscard]] history::Retention chosen() const;
    void setRetention(const history::Retention& retention);

Q_SIGNALS:
    // A field has changed, by the user or by setRetention().
    void changed();
    // The user has asked to delete the history, and has confirmed it.
    void forgetWanted();

private:
    void makeLayout();
    void retranslate();
    void retranslateQuestion();
    void showState();
    void askToForget();
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
