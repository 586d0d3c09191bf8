#pragma once

#include "history/eventstore.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace lockkeeper::ui {

// How much of the past is kept on disk, and the way to delete what is there.
class RetentionDialog final : public QDialog {
    Q_OBJECT
public:
    // server: whose history may be deleted; empty when there is none, and whyNot says why.
    RetentionDialog(const history::Retention& retention, const QString& server, const QString& whyNot,
                    QWidget* parent = nullptr);

Q_SIGNALS:
    void retentionChosen(const lockkeeper::history::Retention& retention);
    // Asked for and confirmed.
    void forgetWanted();

private:
    void makeLayout(const QString& whyNot);
    void showState();
    void askToForget();
    void choose();
    [[nodiscard]] history::Retention chosen() const;

    const QString m_server;
    QCheckBox* m_keep;
    QSpinBox* m_days;
    QSpinBox* m_events;
    QLabel* m_room;
    QLabel* m_meaning;
    QPushButton* m_forget;
};

}  // namespace lockkeeper::ui
