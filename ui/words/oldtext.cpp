// SPDX-License-Identifier: Apache-2.0
#include "ui/words/oldtext.h"

#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct OldText {
    Q_DECLARE_TR_FUNCTIONS(OldText)
};

}  // namespace

QString oldText(const ViewTime& time) {
    return time.isLive() ? QString()
                         : OldText::tr("Old: as last seen at %1").arg(clockText(time.wallMoment(), time.wallNow()));
}

}  // namespace lockkeeper::ui
