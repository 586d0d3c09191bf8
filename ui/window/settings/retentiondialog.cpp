// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/retentiondialog.h"

#include "ui/base/retranslating.h"
#include "ui/window/settings/retentionform.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int usualWidth = 20;  // heights of a line: the form's text has five lines then

}  // namespace

RetentionDialog::RetentionDialog(const history::Retention& retention, const QString& server, QWidget* parent)
    : FittedDialog(parent), m_form(new RetentionForm(retention, server, this)) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(12);
    layout->addWidget(m_form, 1);
    setContent(layout, {buttons});
    setUsualWidth(usualWidth);
    connect(m_form, &RetentionForm::forgetWanted, this, &RetentionDialog::forgetWanted);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT retentionChosen(m_form->chosen());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &RetentionDialog::reject);
    keepTranslated(*this, [this] { setWindowTitle(tr("History on disk")); });
}

}  // namespace lockkeeper::ui

#include "moc_retentiondialog.cpp"
