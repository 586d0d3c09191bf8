// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "serve/message.h"

namespace lockkeeper::serve {

// How an attempt to deliver a message has ended.
struct DeliveryEnd {
    enum class Kind {
        Taken,
        Failed,  // the receiver may take it later
        Refused  // it does not take this message
    };

    Kind kind = Kind::Taken;
    std::optional<Error> error;                // Failed and Refused
    std::optional<Milliseconds> retryAfter{};  // Failed: the receiver asks for this pause
};

// Where messages are delivered to. One attempt at a time. Thread: the clock's.
class Receiver {
public:
    Receiver() = default;
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;
    virtual ~Receiver() = default;

    // done: called once, from the event loop, and not after the receiver is destroyed. It may destroy the receiver.
    virtual void deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) = 0;
};

}  // namespace lockkeeper::serve
