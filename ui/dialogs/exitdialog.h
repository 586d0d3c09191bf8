#pragma once

#include "control/operations.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// Asks at exit, when this console holds locks, whether to release or to keep them.
class ExitDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Connection { Live, Lost };
    enum class Leaving { Connection, Program };

    explicit ExitDialog(Leaving leaving, QWidget* parent = nullptr);

    // Also while open: locks may expire, and the connection may be lost.
    void setLocks(const QList<control::OwnLock>& locks, Connection connection);

Q_SIGNALS:
    void chosen(lockkeeper::control::OwnLocksAtExit choice);

private:
    void retranslate();
    void choose(control::OwnLocksAtExit choice);

    Leaving m_leaving;
    QList<control::OwnLock> m_ownLocks;
    Connection m_connection = Connection::Live;
    QLabel* m_headline;
    QLabel* m_locks;
    QLabel* m_note;
    QPushButton* m_release;
    QPushButton* m_keep;
};

}  // namespace lockkeeper::ui
