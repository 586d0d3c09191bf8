// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QByteArray>
#include <QString>

namespace lockkeeper::serve {

// The forms in which receivers check that a message is from somebody who knows the secret, and that it is not old.

// "v1=" and the HMAC-SHA256, in hex, of the time (seconds since 1970), a dot and the body.
[[nodiscard]] QByteArray signatureOf(const QByteArray& secret, WallTime at, const QByteArray& body);
// Seconds since 1970, as the signature has them.
[[nodiscard]] QByteArray signedTime(WallTime at);
// For the query of DingTalk's URL: "timestamp=...&sign=...".
[[nodiscard]] QByteArray dingTalkQuery(const QByteArray& secret, WallTime at);
// For the field `sign` of Feishu, beside `timestamp` with signedTime().
[[nodiscard]] QByteArray feishuSign(const QByteArray& secret, WallTime at);

}  // namespace lockkeeper::serve
