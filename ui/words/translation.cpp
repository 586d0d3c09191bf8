// SPDX-License-Identifier: Apache-2.0
#include "ui/words/translation.h"

#include <QCoreApplication>
#include <QTranslator>

// The linker drops a static library's resources unless this is called, from outside any namespace.
static void initializeTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace lockkeeper::ui {

void installTranslation(QCoreApplication& application) {
    initializeTranslations();
    auto* english = new QTranslator(&application);
    [[maybe_unused]] const bool isLoaded =
        english->load(QStringLiteral("lockkeeper_en"), QStringLiteral(":/lockkeeper/translations"));
    Q_ASSERT(isLoaded);
    QCoreApplication::installTranslator(english);
}

}  // namespace lockkeeper::ui
