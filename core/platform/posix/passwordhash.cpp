// SPDX-License-Identifier: Apache-2.0
#include "platform/passwordhash.h"

#include <crypt.h>

#include <memory>

namespace lockkeeper::platform {

HashCheck checkPassword(const QByteArray& password, const QByteArray& hash) {
    const auto data = std::make_unique<crypt_data>();  // 32 KiB, and zero as crypt_r() wants it
    const char* made = ::crypt_r(password.constData(), hash.constData(), data.get());
    if (!made || made[0] == '*')
        return HashCheck::NotPossible;
    const QByteArrayView computed(made);
    if (computed.size() != hash.size())
        return HashCheck::Differs;
    unsigned difference = 0;  // the time does not depend on where they differ
    for (qsizetype i = 0; i < hash.size(); ++i)
        difference |= static_cast<unsigned char>(computed[i]) ^ static_cast<unsigned char>(hash[i]);
    return difference == 0 ? HashCheck::Matches : HashCheck::Differs;
}

}  // namespace lockkeeper::platform
