// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/connections/redissonfile.h"
#include "ui/words/errortext.h"

#include <QCoreApplication>

#include <variant>

namespace lockkeeper::ui {

// What the dialog that asks for a server says, and in which words.
class ConnectMessage {
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::ui::ConnectMessage)
public:
    enum class Mistake { NameMissing, NameTaken };
    // What became of a test.
    struct Tested {
        ConnectionStatus status;
    };
    // What is wrong with the way to a thread dump.
    struct DumpMistake {
        Error error;
    };
    // What the message is about: an address that cannot be used, a file, a connection, its test, or a field; or
    // nothing.
    using Subject =
        std::variant<std::monostate, Error, RedissonFile::Reading, ConnectionStatus, Tested, Mistake, DumpMistake>;

    [[nodiscard]] static Message about(const Subject& subject);

private:
    [[nodiscard]] static Message of(std::monostate) { return {}; }
    [[nodiscard]] static Message of(const Error& error);
    [[nodiscard]] static Message of(const RedissonFile::Reading& reading);
    [[nodiscard]] static Message of(const ConnectionStatus& status);
    [[nodiscard]] static Message of(const Tested& tested);
    [[nodiscard]] static Message of(Mistake mistake);
    [[nodiscard]] static Message of(const DumpMistake& mistake);
};

}  // namespace lockkeeper::ui
