// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "locks/hold.h"

#include <QList>
#include <QWidget>

class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Stands above the table when a lock of this console was lost, until the user dismisses it: which lock, why, and what
// to do.
class LossBanner final : public QWidget {
    Q_OBJECT
public:
    explicit LossBanner(const Clock& clock, QWidget* parent = nullptr);

    void add(const LockName& lock, locks::LossReason why);
    void clear();
    [[nodiscard]] bool hasLoss() const noexcept { return !m_losses.isEmpty(); }
    // The text of the last loss, for a notification.
    [[nodiscard]] QString lastText() const;

Q_SIGNALS:
    void changed();
    void lockChosen(const lockkeeper::LockName& lock);

private:
    struct Loss {
        LockName lock;
        locks::LossReason why = locks::LossReason::LeaseExpired;
        WallTime at{};
    };

    void retranslate();
    [[nodiscard]] QString textOf(const Loss& loss) const;

    const Clock& m_clock;
    QList<Loss> m_losses;  // the newest first
    InlineMessage* m_message;
    QPushButton* m_show;
    QPushButton* m_dismiss;
};

}  // namespace lockkeeper::ui
