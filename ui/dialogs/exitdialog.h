#pragma once

#include "control/operations.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// Asked at exit when this console holds locks: what becomes of them.
class ExitDialog final : public QDialog {
    Q_OBJECT
public:
    enum class Connection { Live, Lost };
    enum class Leaving { Connection, Program };

    explicit ExitDialog(Leaving leaving, QWidget* parent = nullptr);

    // Also while open: locks may run out, and the connection may go.
    void setLocks(const QList<control::OwnLock>& locks, Connection connection);

Q_SIGNALS:
    void chosen(lockkeeper::control::OwnLocksAtExit choice);

private:
    void choose(control::OwnLocksAtExit choice);

    QLabel* m_headline;
    QLabel* m_locks;
    QLabel* m_note;
    QPushButton* m_release;
};

}  // namespace lockkeeper::ui
