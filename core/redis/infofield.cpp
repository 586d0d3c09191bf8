// SPDX-License-Identifier: Apache-2.0
#include "redis/infofield.h"

namespace lockkeeper::redis {

std::optional<QByteArrayView> infoField(QByteArrayView name, QByteArrayView info) {
    for (qsizetype at = 0; at < info.size();) {
        const qsizetype end = info.indexOf('\n', at);
        const QByteArrayView line = info.sliced(at, (end < 0 ? info.size() : end) - at).trimmed();
        if (line.startsWith(name) && line.size() > name.size() && line[name.size()] == ':')
            return line.sliced(name.size() + 1);
        at = end < 0 ? info.size() : end + 1;
    }
    return std::nullopt;
}

}  // namespace lockkeeper::redis
