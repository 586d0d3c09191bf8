// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticedialog.h"

#include "ui/base/retranslating.h"
#include "ui/window/notices/noticeform.h"

#include <QDialogButtonBox>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int usualWidth = 36;  // heights of a line: the form's summary has two lines then

}  // namespace

NoticeDialog::NoticeDialog(const NoticeSettings& settings, QWidget* parent)
    : FittedDialog(parent), m_form(new NoticeForm(settings, this)) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(10);
    layout->addWidget(m_form, 1);
    setContent(layout, {buttons});
    setUsualWidth(usualWidth);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT settingsChosen(m_form->chosen());
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &NoticeDialog::reject);
    keepTranslated(*this, [this] { setWindowTitle(tr("Notifications")); });
}

}  // namespace lockkeeper::ui

#include "moc_noticedialog.cpp"
