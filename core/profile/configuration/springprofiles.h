// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>

namespace lockkeeper::profile {

// Whether an expression of Spring such as "prod & (eu | us)" or "dev, !cloud" is true with these profiles. One that
// cannot be read is false.
[[nodiscard]] bool acceptsProfiles(const QString& expression, const QStringList& active);
// The profiles that the expression names, but not those behind a '!'.
[[nodiscard]] QStringList profilesIn(const QString& expression);

}  // namespace lockkeeper::profile
