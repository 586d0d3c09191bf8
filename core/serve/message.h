// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/gathering.h"

#include <QJsonArray>

#include <functional>

namespace lockkeeper::serve {

// A message for receivers, as it waits on the disk.
struct Message {
    QByteArray id;  // 32 hex digits: the same in each attempt
    WallTime at{};
    QString summary;    // a sentence for people
    QJsonArray events;  // see toJson(CaseEvent)
    qint64 moreBegun = 0;
    qint64 moreEnded = 0;
    qint64 dropped = 0;  // messages before this one that were given up
    bool isTest = false;
};

// Sentences for people; made where their language is known.
struct MessageWords {
    std::function<QString(const CaseEvent& event)> event;
    std::function<QString(const Message& message)> summary;
    std::function<QString(qint64 more)> more;  // how many more events there are
};

// A message is never larger than this, in any form: chat services refuse or cut larger ones.
constexpr qsizetype largestMessage = 4096;  // bytes

// Events that do not fit into the largest message are counted only.
[[nodiscard]] Message messageOf(const Gathered& gathered, WallTime at, qint64 dropped, const MessageWords& words);
[[nodiscard]] Message testMessage(WallTime at, const QString& summary);

// With the number of the attempt, from 1; 0 for the disk.
[[nodiscard]] QJsonObject toJson(const Message& message, int attempt);
// Nothing if it is not whole, or of a later version.
[[nodiscard]] std::optional<Message> messageFrom(const QByteArray& json);

}  // namespace lockkeeper::serve
