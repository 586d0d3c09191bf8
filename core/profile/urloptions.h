// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "profile/connectionprofile.h"

#include <QUrlQuery>

class QUrl;

// The part of a URL behind the question mark, and what it shares with the part before it.
namespace lockkeeper::profile::url {

constexpr quint16 serverPort = 6379;

// Says what is wrong and what would be right. Never quotes the text itself, which may contain a password.
[[nodiscard]] Error invalid(Cause cause, const QStringList& arguments = {});
// Encodes '&', '#' and other characters that have a meaning in a query.
[[nodiscard]] QString encoded(const QByteArray& text, const QByteArray& unchanged = {});
[[nodiscard]] std::optional<int> databaseNumber(QStringView text);

// Fills in what the options say. Unknown ones are refused: a misspelt "ca" must not silently switch to the system's
// authorities. The profile has its servers already: they decide which options there are.
[[nodiscard]] std::optional<Error> readOptions(const QUrl& url, ConnectionProfile& profile);
[[nodiscard]] QUrlQuery optionsOf(const ConnectionProfile& profile);

}  // namespace lockkeeper::profile::url
