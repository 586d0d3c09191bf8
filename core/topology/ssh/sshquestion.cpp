// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/sshquestion.h"

namespace lockkeeper::topology {

SshQuestion::Kind SshQuestion::kindOf(const QByteArray& hint, const QString& words) {
    if (hint == "none")
        return Kind::Notice;
    // The question about an unknown host comes without a hint. ssh is not translated.
    if (hint == "confirm" || words.contains(QLatin1String("(yes/no")))
        return Kind::YesNo;
    return Kind::Secret;
}

}  // namespace lockkeeper::topology
