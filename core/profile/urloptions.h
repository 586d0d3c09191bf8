// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "profile/connectionprofile.h"
#include "profile/urlcause.h"

#include <QUrlQuery>

class QUrl;

// The part of a URL after the question mark, and helpers that the part before it also uses.
namespace lockkeeper::profile::url {

constexpr quint16 serverPort = 6379;

// Names what is wrong and what would be right. Never quotes the text itself, which may contain a password.
[[nodiscard]] Error invalid(const AnyCause& cause, const QStringList& arguments = {});
// Encodes '&', '#' and other characters that have a meaning in a query.
[[nodiscard]] QString encoded(const QByteArray& text, const QByteArray& unchanged = {});
[[nodiscard]] std::optional<int> databaseNumber(QStringView text);

// Sets what the options name. Unknown options are refused: a misspelt "ca" must not silently switch to the system's
// authorities. The profile must have its servers already, because they decide which options exist.
[[nodiscard]] std::optional<Error> readOptions(const QUrl& url, ConnectionProfile& profile);
[[nodiscard]] QUrlQuery optionsOf(const ConnectionProfile& profile);

}  // namespace lockkeeper::profile::url
