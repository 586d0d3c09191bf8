// SPDX-License-Identifier: Apache-2.0
#include "ui/events/lookup/lookupinput.h"

#include <QMimeData>

namespace lockkeeper::ui {

void LookupInput::insertFromMimeData(const QMimeData* source) {
    const QString text = source->text();
    if (text.size() > longestInserted)
        Q_EMIT largeTextPasted(text);
    else
        QPlainTextEdit::insertFromMimeData(source);
}

}  // namespace lockkeeper::ui

#include "moc_lookupinput.cpp"
