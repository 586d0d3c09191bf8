// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockkeeper::ui {

// Asks before something costly is done: a headline, paragraphs that explain it, a button that does it, and Cancel,
// which is the default. The texts are those of the derived dialogs.
class QuestionDialog : public FittedDialog {
    Q_OBJECT
protected:
    // name: "identify" gives identifyHeadline and identifyCancel.
    QuestionDialog(const QString& name, QWidget* parent);

    [[nodiscard]] QLabel& headline() { return *m_headline; }
    [[nodiscard]] QPushButton& doIt() { return *m_doIt; }
    // Below those before it.
    [[nodiscard]] QLabel* addParagraph(const QString& objectName);

private:
    QVBoxLayout* m_paragraphs;
    QLabel* m_headline;
    QPushButton* m_doIt;
};

}  // namespace lockkeeper::ui
