// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/lockfields.h"

#include "base/exacttext.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

using profile::LockSettings;

double inSeconds(Milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
}

// Zero, the least value, is shown as "not set".
QDoubleSpinBox* timeField(const QString& name, QWidget* parent) {
    auto* field = new QDoubleSpinBox(parent);
    field->setObjectName(name);
    field->setDecimals(3);
    field->setRange(0, inSeconds(LockSettings::longest));
    field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    return field;
}

void takeTime(QDoubleSpinBox& field, std::optional<Milliseconds>& time) {
    field.setValue(inSeconds(std::exchange(time, std::nullopt).value_or(Milliseconds(0))));
}

void applyTime(const QDoubleSpinBox& field, std::optional<Milliseconds>& time) {
    if (field.value() > 0)
        time = std::max(Milliseconds(qRound64(field.value() * 1000)), LockSettings::shortestLease);
}

// Bytes that are no text stay in the address.
void takeText(QLineEdit& field, QByteArray& bytes) {
    const std::optional<QString> text = exactText(bytes);
    field.setText(text.value_or(QString()));
    if (text)
        bytes.clear();
}

void applyText(const QLineEdit& field, QByteArray& bytes) {
    if (!field.text().isEmpty())
        bytes = field.text().toUtf8();
}

QHBoxLayout* sideBySide(QWidget* first, QLabel* caption, QWidget* second) {
    auto* layout = new QHBoxLayout;
    layout->addWidget(first, 1);
    layout->addWidget(caption);
    layout->addWidget(second, 1);
    caption->setBuddy(second);
    return layout;
}

}  // namespace

LockFields::LockFields(QWidget* parent)
    : QGroupBox(parent),
      m_fields(new QWidget(this)),
      m_watchdogCaption(plainLabel(this)),
      m_fairWaitCaption(plainLabel(this)),
      m_prefixCaption(plainLabel(this)),
      m_suffixCaption(plainLabel(this)),
      m_watchdog(timeField(QStringLiteral("connectWatchdog"), this)),
      m_fairWait(timeField(QStringLiteral("connectFairWait"), this)),
      m_prefix(new QLineEdit(this)),
      m_suffix(new QLineEdit(this)) {
    m_prefix->setObjectName(QStringLiteral("connectPrefix"));
    m_suffix->setObjectName(QStringLiteral("connectSuffix"));
    setObjectName(QStringLiteral("connectLocks"));
    setCheckable(true);
    setChecked(false);
    setFlat(true);
    m_fields->hide();
    auto* form = new QFormLayout(m_fields);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(m_watchdogCaption, sideBySide(m_watchdog, m_fairWaitCaption, m_fairWait));
    form->addRow(m_prefixCaption, sideBySide(m_prefix, m_suffixCaption, m_suffix));
    m_watchdogCaption->setBuddy(m_watchdog);
    m_prefixCaption->setBuddy(m_prefix);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fields);
    connect(this, &QGroupBox::toggled, m_fields, &QWidget::setVisible);
    connect(this, &QGroupBox::toggled, this, [this](bool isOpen) { setFlat(!isOpen); });  // no frame around nothing
    connect(this, &QGroupBox::toggled, this, &LockFields::edited);
    connect(this, &QGroupBox::toggled, this, &LockFields::folded);
    for (QDoubleSpinBox* field : {m_watchdog, m_fairWait})
        connect(field, &QDoubleSpinBox::valueChanged, this, &LockFields::edited);
    for (QLineEdit* field : {m_prefix, m_suffix})
        connect(field, &QLineEdit::textEdited, this, &LockFields::edited);
    keepTranslated(*this, [this] { retranslate(); });
}

void LockFields::retranslate() {
    setTitle(tr("What the Java clients have set for locks"));
    m_watchdogCaption->setText(tr("Watchdog:"));
    m_watchdog->setAccessibleName(tr("Watchdog timeout of the Java clients"));
    m_fairWaitCaption->setText(tr("Fair wait:"));
    m_fairWait->setAccessibleName(tr("Fair lock wait timeout of the Java clients"));
    m_prefixCaption->setText(tr("Name prefix:"));
    m_prefix->setAccessibleName(tr("Prefix that the Java clients add to names"));
    m_suffixCaption->setText(tr("Suffix:"));
    m_suffix->setAccessibleName(tr("Suffix that the Java clients add to names"));
    for (QDoubleSpinBox* field : {m_watchdog, m_fairWait}) {
        field->setSpecialValueText(tr("not set"));
        field->setSuffix(tr(" s"));
    }
}

void LockFields::take(LockSettings& locks) {
    const LockSettings before = locks;
    takeTime(*m_watchdog, locks.watchdogTimeout);
    takeTime(*m_fairWait, locks.fairWait);
    takeText(*m_prefix, locks.names.prefix);
    takeText(*m_suffix, locks.names.suffix);
    setChecked(locks != before);
}

void LockFields::applyTo(LockSettings& locks) const {
    if (!isChecked())
        return;
    applyTime(*m_watchdog, locks.watchdogTimeout);
    applyTime(*m_fairWait, locks.fairWait);
    applyText(*m_prefix, locks.names.prefix);
    applyText(*m_suffix, locks.names.suffix);
}

}  // namespace lockkeeper::ui

#include "moc_lockfields.cpp"
