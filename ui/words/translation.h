// SPDX-License-Identifier: Apache-2.0
#pragma once

class QCoreApplication;

namespace lockkeeper::ui {

// Makes the application speak English with right plurals ("1 renewal", "5 renewals"). To be called once, before the
// first text is shown.
void installTranslation(QCoreApplication& application);

}  // namespace lockkeeper::ui
