// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "serve/receiver.h"

#include <QObject>
#include <QStringList>

class QProcess;

namespace lockkeeper::serve {

// Words of a command as a user writes it: blanks between them, quotes around one with blanks. No shell reads it. Empty:
// there is no word, or a quote has no end.
[[nodiscard]] QStringList commandWords(const QString& text);

// Starts a command for each message, which reads the JSON from its standard input. Exit code 0: it has the message.
// What it prints is read and dropped.
class CommandReceiver final : public QObject, public Receiver {
    Q_OBJECT
public:
    // command: the program and its arguments.
    CommandReceiver(QStringList command, Milliseconds patience, Clock& clock);
    ~CommandReceiver() override;

    void deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) override;

private:
    void finish(const DeliveryEnd& end);
    [[nodiscard]] DeliveryEnd endOf(int exitCode) const;

    const QStringList m_command;
    const Milliseconds m_limit;
    QProcess* m_process = nullptr;
    std::function<void(const DeliveryEnd& end)> m_done;
    bool m_isLate = false;
    ClockTimer m_patience;
};

}  // namespace lockkeeper::serve
