// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <utility>

namespace lockkeeper {

// A signal that leaves from the event loop, however it is caused: its slot may then delete the sender, run an event
// loop, or call the sender again. From inside a task or a call of the sender it may not. If it is posted several times
// in one turn, it leaves once, so it reports a state, not an event. If the sender is deleted before, it does not leave.
// Thread: the sender's.
class PostedSignal {
public:
    // sender: has this object as a member.
    PostedSignal(QObject& sender, std::function<void()> emitNow) : m_sender(sender), m_emitNow(std::move(emitNow)) {}
    PostedSignal(const PostedSignal&) = delete;
    PostedSignal& operator=(const PostedSignal&) = delete;
    ~PostedSignal() = default;

    void post() {
        if (!std::exchange(m_isPosted, true))
            QMetaObject::invokeMethod(
                &m_sender, [this] { leave(); }, Qt::QueuedConnection);
    }

private:
    void leave() {
        m_isPosted = false;
        const std::function<void()> emitNow = m_emitNow;  // a copy: the slot may delete this object
        emitNow();
    }

    QObject& m_sender;
    const std::function<void()> m_emitNow;
    bool m_isPosted = false;
};

}  // namespace lockkeeper
