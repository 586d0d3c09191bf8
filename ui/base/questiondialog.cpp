// SPDX-License-Identifier: Apache-2.0
#include "ui/base/questiondialog.h"

#include "ui/base/plainlabel.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

QuestionDialog::QuestionDialog(const QString& name, QWidget* parent)
    : FittedDialog(parent),
      m_paragraphs(new QVBoxLayout),
      m_headline(addParagraph(name + QStringLiteral("Headline"))),
      m_doIt(new QPushButton(this)) {
    constexpr int textWidth = 29;  // heights of a line
    constexpr int betweenParagraphs = 12;
    m_paragraphs->setSpacing(betweenParagraphs);
    QFont bold = m_headline->font();
    bold.setBold(true);
    m_headline->setFont(bold);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_doIt, QDialogButtonBox::AcceptRole);
    m_doIt->setAutoDefault(false);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(name + QStringLiteral("Cancel"));
    cancel->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setContent(m_paragraphs, {buttons});
    setUsualWidth(textWidth);
    cancel->setFocus();
}

QLabel* QuestionDialog::addParagraph(const QString& objectName) {
    QLabel* label = plainLabel(this);
    label->setObjectName(objectName);
    label->setWordWrap(true);
    m_paragraphs->addWidget(label);
    return label;
}

}  // namespace lockkeeper::ui

#include "moc_questiondialog.cpp"
