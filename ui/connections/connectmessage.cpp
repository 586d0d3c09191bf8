// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectmessage.h"

#include "ui/words/causetext.h"
#include "ui/words/redissontext.h"

namespace lockkeeper::ui {

Message ConnectMessage::about(const Subject& subject) {
    return std::visit([](const auto& alternative) { return of(alternative); }, subject);
}

Message ConnectMessage::of(const Error& error) {
    return {Tone::Danger, urlErrorText(error)};
}

Message ConnectMessage::of(const RedissonFile::Reading& reading) {
    if (!reading.connection)
        return {Tone::Danger, redissonErrorText(reading.connection.error(), reading.file)};
    if (reading.connection->notes.isEmpty())
        return {Tone::Good, tr("%1 was read.").arg(reading.file)};
    return {Tone::Info, tr("%1 was read. These settings have no effect here:\n%2")
                            .arg(reading.file, redissonText(reading.connection->notes))};
}

Message ConnectMessage::of(const ConnectionStatus& status) {
    if (status.phase == ConnectionPhase::Connecting)
        return {Tone::Info, tr("Connecting to %1 …").arg(status.server)};
    const Explanation explanation = connectionExplanation(status.error.value_or(Error()), status.server);
    return {Tone::Danger, explanation.what + QLatin1Char('\n') + explanation.todo};
}

Message ConnectMessage::of(const Tested& tested) {
    const ConnectionStatus& status = tested.status;
    if (status.phase == ConnectionPhase::Failed)
        return of(status);
    const QString version = status.serverVersion.isEmpty() ? tr("unknown") : status.serverVersion;
    if (status.isReplica)
        return {Tone::Good, tr("The connection works. %1 is a replica, version %2.").arg(status.server, version)};
    return {Tone::Good, tr("The connection works. %1 is a master, version %2.").arg(status.server, version)};
}

Message ConnectMessage::of(Mistake mistake) {
    switch (mistake) {
        case Mistake::NameMissing:
            return {Tone::Danger, tr("A connection needs a name to be saved.")};
        case Mistake::NameTaken:
            return {Tone::Danger, tr("Another saved connection has this name. Choose another one.")};
    }
    return {};
}

Message ConnectMessage::of(const DumpMistake& mistake) {
    return {Tone::Danger, tr("Thread dumps cannot be got so: %1.").arg(reasonText(mistake.error))};
}

}  // namespace lockkeeper::ui
