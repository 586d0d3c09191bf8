// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "ui/words/errortext.h"

#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace lockkeeper::ui {

class InlineMessage;

// Reports that do not interrupt the operator: a few lines below the table, the last one at the bottom. A success
// disappears after a while, anything else when it is closed or when newer ones need the place. In a low window the
// older ones are folded to a line each. A report is made again when the language changes.
class MessageBar final : public QWidget {
    Q_OBJECT
public:
    // clock: outlives the bar.
    explicit MessageBar(Clock& clock, QWidget* parent = nullptr);
    ~MessageBar() override;

    // message: makes it from values that it owns, in the language of the moment; always of the same tone.
    using MakeMessage = std::function<Message()>;
    void post(const MakeMessage& message);
    // As post(), for a message that may become untrue. The message is deleted when it disappears.
    [[nodiscard]] InlineMessage* postRevocable(const MakeMessage& message);
    // Stays until withdrawn; the button asks for the end of what is under way.
    [[nodiscard]] InlineMessage* postWaiting(const MakeMessage& message, std::function<void()> cancel);
    void withdraw(InlineMessage* entry);

    // Oldest first.
    [[nodiscard]] QStringList texts() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Lasting { Passing, UntilClosed, UntilWithdrawn };
    struct Entry {
        InlineMessage* message;
        Lasting lasting;
        Clock::TimerId end;
    };

    [[nodiscard]] InlineMessage* add(const MakeMessage& message, Lasting lasting);
    void crowdOut();
    void fold();

    Clock& m_clock;
    QVBoxLayout* m_layout;
    std::vector<Entry> m_entries;
};

}  // namespace lockkeeper::ui
