// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>

namespace lockkeeper::ui {

// The field for the pasted text. A text that is too large to be laid out in it is passed on instead of inserted.
class LookupInput final : public QPlainTextEdit {
    Q_OBJECT
public:
    static constexpr qsizetype longestInserted = 1'000'000;  // characters

    using QPlainTextEdit::QPlainTextEdit;

Q_SIGNALS:
    void largeTextPasted(const QString& text);

protected:
    void insertFromMimeData(const QMimeData* source) override;
};

}  // namespace lockkeeper::ui
