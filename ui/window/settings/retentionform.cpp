// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/retentionform.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/words/locktext.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int hoursADay = 24;
constexpr int fewestEvents = 1000;
constexpr qint64 bytesAnEvent = 400;  // as measured, including the indexes

}  // namespace

RetentionForm::RetentionForm(const history::Retention& retention, const QString& server, QWidget* parent)
    : QWidget(parent),
      m_server(server),
      m_keep(new QCheckBox(this)),
      m_daysLabel(plainLabel(this)),
      m_days(new QSpinBox(this)),
      m_eventsLabel(plainLabel(this)),
      m_events(new QSpinBox(this)),
      m_room(plainLabel(this)),
      m_meaning(plainLabel(this)),
      m_forget(new QPushButton(this)) {
    m_keep->setObjectName(QStringLiteral("retentionKeep"));
    m_days->setObjectName(QStringLiteral("retentionDays"));
    m_days->setRange(1, mostDays);
    m_events->setObjectName(QStringLiteral("retentionEvents"));
    m_events->setRange(fewestEvents, mostEvents);
    m_events->setSingleStep(100'000);
    m_events->setGroupSeparatorShown(true);
    m_room->setObjectName(QStringLiteral("retentionRoom"));
    m_meaning->setObjectName(QStringLiteral("retentionMeaning"));
    m_meaning->setWordWrap(true);
    m_forget->setObjectName(QStringLiteral("retentionForget"));
    m_forget->setAutoDefault(false);
    makeLayout();
    setRetention(retention);
    connect(m_keep, &QCheckBox::toggled, this, &RetentionForm::showState);
    connect(m_events, &QSpinBox::valueChanged, this, &RetentionForm::showState);
    connect(m_keep, &QCheckBox::toggled, this, &RetentionForm::changed);
    for (const QSpinBox* box : {m_days, m_events})
        connect(box, &QSpinBox::valueChanged, this, &RetentionForm::changed);
    connect(m_forget, &QPushButton::clicked, this, &RetentionForm::askToForget);
    keepTranslated(*this, [this] { retranslate(); });
}

void RetentionForm::retranslate() {
    m_keep->setText(tr("&Keep events on disk"));
    m_daysLabel->setText(tr("Delete events &older than (days):"));
    m_eventsLabel->setText(tr("Keep at most so &many events:"));
    m_forget->setText(m_server.isEmpty()
                          ? tr("&Delete the history of this server…")
                          : tr("&Delete the history of %1…").arg(withoutMnemonic(shortened(m_server, 40))));
    m_forget->setToolTip(m_server.isEmpty() ? helpTip(tr("Connect to a server first. The demo keeps no history."))
                                            : QString());
    showState();
    if (m_question)
        retranslateQuestion();
}

void RetentionForm::makeLayout() {
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setContentsMargins(24, 0, 0, 0);
    m_daysLabel->setBuddy(m_days);
    m_eventsLabel->setBuddy(m_events);
    form->addRow(m_daysLabel, m_days);
    form->addRow(m_eventsLabel, m_events);
    form->addRow(QString(), m_room);
    m_forget->setEnabled(!m_server.isEmpty());
    auto* forget = new QHBoxLayout;
    forget->addWidget(m_forget);
    forget->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_keep);
    layout->addLayout(form);
    layout->addWidget(m_meaning);
    layout->addLayout(forget);
    layout->addStretch(1);
}

QString RetentionForm::meaningOfKeeping() const {
    return tr(
        "For all servers together. A new connection shows the latest of its events, and errors are looked up in "
        "them. What exceeds these limits is deleted at once, the oldest first.");
}

void RetentionForm::showState() {
    const bool keeps = m_keep->isChecked();
    m_days->setEnabled(keeps);
    m_events->setEnabled(keeps);
    const qint64 megabytes = std::max<qint64>(1, m_events->value() * bytesAnEvent / 1'000'000);
    m_room->setText(tr("about %Ln MB when full", nullptr, static_cast<int>(megabytes)));
    m_room->setEnabled(keeps);
    m_meaning->setText(keeps ? meaningOfKeeping()
                             : tr("From now on nothing is written. What was kept before stays until you delete it."));
}

history::Retention RetentionForm::chosen() const {
    history::Retention retention;
    retention.age = std::chrono::hours(m_keep->isChecked() ? m_days->value() * hoursADay : 0);
    retention.rows = m_events->value();
    return retention;
}

void RetentionForm::setRetention(const history::Retention& retention) {
    const history::Retention shown = retention.keepsAnything() ? retention : history::Retention();
    m_keep->setChecked(retention.keepsAnything());
    m_days->setValue(static_cast<int>(std::min<qint64>(shown.age.count() / hoursADay, mostDays)));
    m_events->setValue(static_cast<int>(std::clamp<qint64>(shown.rows, fewestEvents, mostEvents)));
}

void RetentionForm::askToForget() {
    m_question = plainMessageBox(this);
    m_question->setIcon(QMessageBox::Warning);
    m_question->setObjectName(QStringLiteral("retentionQuestion"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_confirm = m_question->addButton(QString(), QMessageBox::DestructiveRole);
    m_confirm->setObjectName(QStringLiteral("retentionForgetConfirmed"));
    QPushButton* cancel = m_question->addButton(QMessageBox::Cancel);
    m_question->setDefaultButton(cancel);
    m_question->setEscapeButton(cancel);
    retranslateQuestion();
    connect(m_confirm, &QPushButton::clicked, this, &RetentionForm::forgetWanted);
    m_question->open();
}

void RetentionForm::retranslateQuestion() {
    m_question->setWindowTitle(tr("Delete the history?"));
    m_question->setText(tr("Delete all events on disk of %1?").arg(m_server));
    m_question->setInformativeText(
        tr("They cannot be brought back. What is on the screen stays; what happens from now on is kept again."));
    m_confirm->setText(tr("&Delete history"));
}

}  // namespace lockkeeper::ui

#include "moc_retentionform.cpp"
