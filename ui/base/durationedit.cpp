// SPDX-License-Identifier: Apache-2.0
#include "ui/base/durationedit.h"

#include "ui/base/retranslating.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSpinBox>

#include <array>
#include <utility>

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
    m_number->installEventFilter(this);
    m_unit->installEventFilter(this);
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
    m_finished = this->duration();
}

Milliseconds DurationEdit::duration() const {
    return Milliseconds(m_number->value() * m_unit->currentData().toLongLong());
}

void DurationEdit::finish() {
    m_number->interpretText();
    if (std::exchange(m_finished, duration()) != duration())
        Q_EMIT finished();
}

// From the number to the unit, or into the list of units, the user goes on.
bool DurationEdit::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
        !isAncestorOf(QApplication::focusWidget()))
        finish();
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter)
            finish();
    }
    return QWidget::eventFilter(watched, event);
}

void DurationEdit::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    finish();
}

void DurationEdit::setZeroText(const QString& text) {
    m_number->setSpecialValueText(text);
}

}  // namespace lockkeeper::ui

#include "moc_durationedit.cpp"
