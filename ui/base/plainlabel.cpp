// SPDX-License-Identifier: Apache-2.0
#include "ui/base/plainlabel.h"

#include <QInputDialog>
#include <QLabel>
#include <QMessageBox>

namespace lockkeeper::ui {

QLabel* plainLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
    QLabel* label = plainLabel(parent);
    label->setText(text);
    return label;
}

QLabel* emptyPanelLabel(QWidget* parent) {
    QLabel* label = plainLabel(parent);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    label->setMargin(12);
    label->setAutoFillBackground(true);
    label->setBackgroundRole(QPalette::Base);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QMessageBox* plainMessageBox(QWidget* parent) {
    auto* box = new QMessageBox(parent);
    // QMessageBox makes the label of an informative text only with the text, and lets it guess the format.
    box->setInformativeText(QStringLiteral("-"));
    for (QLabel* label : box->findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
    box->setTextFormat(Qt::PlainText);
    return box;
}

void makePlain(QInputDialog& dialog) {
    for (QLabel* label : dialog.findChildren<QLabel*>())
        label->setTextFormat(Qt::PlainText);
}

QLabel* linksLabel(const QString& html, QWidget* parent) {
    auto* label = new QLabel(html, parent);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setOpenExternalLinks(true);
    return label;
}

}  // namespace lockkeeper::ui
