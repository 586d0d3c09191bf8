// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace lockkeeper::ui {

// What will be sent to the server, folded until the reader wants to see it.
class SentCommandsView final : public QWidget {
    Q_OBJECT
public:
    explicit SentCommandsView(QWidget* parent = nullptr);

    [[nodiscard]] bool isUnfolded() const;
    // What the reader has selected stays selected as long as the text is the same.
    void setCommands(const QString& commands);
    // In the order in which Tab visits them.
    [[nodiscard]] QList<QWidget*> tabOrder() const;

Q_SIGNALS:
    // The reader has folded or unfolded the commands; they may be out of date when they become visible.
    void foldChanged();

private:
    void fold();
    void showFold();
    void retranslate();

    QToolButton* m_show;
    QPlainTextEdit* m_commands;
};

// What will be sent to the server for this change, and what the script does there. A Redis command a line, with names
// as redis-cli would show them. now: as the server's clock is believed to be.
[[nodiscard]] QString sentCommandsText(const monitor::LockSnapshot& confirmed, const control::LockChange& change,
                                       WallTime now);

}  // namespace lockkeeper::ui
