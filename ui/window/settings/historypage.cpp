// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/historypage.h"

#include "ui/base/retranslating.h"
#include "ui/window/settings/retentionform.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

HistoryPage::HistoryPage(const history::Retention& retention, const QString& server, QWidget* parent)
    : QWidget(parent), m_form(new RetentionForm(retention, server, this)), m_apply(new QPushButton(this)) {
    setObjectName(QStringLiteral("historyPage"));
    m_apply->setObjectName(QStringLiteral("settingsApplyRetention"));
    m_apply->setAutoDefault(false);
    m_applied = m_form->chosen();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_form, 1);
    layout->addWidget(m_apply, 0, Qt::AlignRight);
    connect(m_form, &RetentionForm::changed, this, &HistoryPage::refresh);
    connect(m_form, &RetentionForm::forgetWanted, this, &HistoryPage::forgetWanted);
    connect(m_apply, &QPushButton::clicked, this, &HistoryPage::apply);
    keepTranslated(*this, [this] { m_apply->setText(tr("&Apply these limits")); });
    refresh();
}

void HistoryPage::reset() {
    m_form->setRetention({});
}

void HistoryPage::apply() {
    m_applied = m_form->chosen();
    refresh();
    Q_EMIT retentionChosen(m_applied);
}

void HistoryPage::refresh() {
    m_apply->setEnabled(m_form->chosen() != m_applied);
}

}  // namespace lockkeeper::ui

#include "moc_historypage.cpp"
