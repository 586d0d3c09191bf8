// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.h"
#include "redis/script.h"
#include "topology/shardconnections.h"

#include <QPointer>

#include <memory>

namespace lockkeeper::topology {

// One call of a script in a Cluster, until a node has executed it, or its caller's patience or wait has ended. A node
// that refuses the call because it does not serve the slot, or not now, has executed nothing. A lost connection ends
// the call; whether the script was executed is then unknown.
class RedirectedCall : public std::enable_shared_from_this<RedirectedCall> {
public:
    // The connections may be destroyed before the call ends.
    [[nodiscard]] static Completion<redis::RespValue> start(ShardConnections& connections, QByteArrayView key,
                                                            redis::ScriptCall call, Deadline patience,
                                                            redis::BeforeSendingAgain beforeAgain);
    // Ends a call during its pause: it was refused and is not sent again.
    void end();

private:
    enum class Form { BySha, Whole };
    using Asking = ShardConnections::Asking;

    RedirectedCall(ShardConnections& connections, QByteArrayView key, redis::ScriptCall call, Deadline patience,
                   redis::BeforeSendingAgain beforeAgain);

    void sendToOwner();
    void sendTo(redis::Connection& connection, Asking asking);
    // Whether the call may be sent again. If not, it has been completed with an answer.
    [[nodiscard]] bool mayBeSentAgain();
    void sendAgain(redis::Connection* connection, Asking asking, const Error& refusal);
    void sendAgainLater(const Error& refusal);
    void resume();
    void onAnswer(const QPointer<redis::Connection>& connection, const Result<redis::RespValue>& answer);
    void onMoved(const Error& moved);

    const QPointer<ShardConnections> m_connections;
    const QByteArray m_key;
    const redis::ScriptCall m_call;
    const Deadline m_patience;
    const redis::BeforeSendingAgain m_beforeAgain;
    const Completion<redis::RespValue> m_answer;
    Form m_form = Form::BySha;
    int m_redirects = 0;   // since the last pause
    Milliseconds m_pause;  // length of the next pause
};

}  // namespace lockkeeper::topology
