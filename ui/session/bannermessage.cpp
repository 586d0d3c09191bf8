// SPDX-License-Identifier: Apache-2.0
#include "ui/session/bannermessage.h"

#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct Banner {
    Q_DECLARE_TR_FUNCTIONS(Banner)
};

QString lostText(const ConnectionStatus& status, const QString& at) {
    if (!status.error)
        return Banner::tr("Connection lost %1 - rows below are as last seen then; reconnecting").arg(at);
    return Banner::tr("Connection lost %1 (%2) - rows below are as last seen then; reconnecting")
        .arg(at, reasonText(*status.error));
}

}  // namespace

Message bannerMessage(const ConnectionStatus& status, const ViewTime& time, int rows) {
    const QString at = clockText(time.wallMoment(), time.wallNow());
    if (status.phase == ConnectionPhase::Failed) {
        const Explanation explanation = connectionExplanation(status.error.value_or(Error()), serverText(status));
        return {Tone::Danger, sentencesText({explanation.what, explanation.todo})};
    }
    if (status.phase == ConnectionPhase::Reconnecting)
        return {Tone::Warning, lostText(status, at)};
    if (status.phase == ConnectionPhase::Disconnected && rows > 0)
        return {Tone::Warning, Banner::tr("Disconnected %1 - rows below are as last seen then").arg(at)};
    return {};
}

}  // namespace lockkeeper::ui
