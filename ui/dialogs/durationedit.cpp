// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/durationedit.h"

#include "ui/look/retranslating.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSpinBox>

#include <array>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr int largestNumber = 999999;
constexpr std::array<Milliseconds, 4> units{1ms, 1s, 1min, 1h};

}  // namespace

DurationEdit::DurationEdit(std::chrono::seconds minimum, std::chrono::seconds initial, QWidget* parent)
    : QWidget(parent), m_number(new QSpinBox(this)), m_unit(new QComboBox(this)) {
    m_number->setObjectName(QStringLiteral("number"));
    m_number->setRange(static_cast<int>(minimum.count()), largestNumber);
    m_unit->setObjectName(QStringLiteral("unit"));
    for (const Milliseconds length : units)
        m_unit->addItem(QString(), qint64{length.count()});
    setDuration(initial);
    connect(m_number, &QSpinBox::valueChanged, this, &DurationEdit::changed);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &DurationEdit::changed);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_number);
    layout->addWidget(m_unit);
    layout->addStretch(1);
    setFocusProxy(m_number);
    keepTranslated(*this, [this] { retranslate(); });
}

void DurationEdit::retranslate() {
    const QStringList names{tr("ms"), tr("seconds"), tr("minutes"), tr("hours")};
    for (int i = 0; i < names.size(); ++i)
        m_unit->setItemText(i, names.at(i));
    setWhat(m_what);
}

void DurationEdit::setWhat(const QString& what) {
    m_what = what;
    m_number->setAccessibleName(what);
    m_unit->setAccessibleName(tr("%1: unit").arg(what));
}

// Chooses the largest unit: 5 minutes rather than 300 seconds.
void DurationEdit::setDuration(std::chrono::seconds duration) {
    const bool inMinutes = duration >= 1min && duration % 1min == 0s;
    const bool inHours = duration >= 1h && duration % 1h == 0s;
    m_unit->setCurrentIndex(inHours ? 3 : inMinutes ? 2 : 1);
    m_number->setValue(static_cast<int>(Milliseconds(duration).count() / m_unit->currentData().toLongLong()));
}

Milliseconds DurationEdit::duration() const {
    return Milliseconds(m_number->value() * m_unit->currentData().toLongLong());
}

void DurationEdit::setZeroText(const QString& text) {
    m_number->setSpecialValueText(text);
}

}  // namespace lockkeeper::ui

#include "moc_durationedit.cpp"
