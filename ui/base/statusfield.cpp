// SPDX-License-Identifier: Apache-2.0
#include "ui/base/statusfield.h"

#include "ui/base/helptip.h"
#include "ui/base/iconlabel.h"
#include "ui/base/plainlabel.h"
#include "ui/words/locktext.h"

#include <QHBoxLayout>
#include <QLabel>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestDescription = 4000;  // characters

}  // namespace

StatusField::StatusField(QWidget* parent) : QWidget(parent), m_icon(new IconLabel(14, this)), m_text(plainLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 0);
    layout->setSpacing(5);
    layout->addWidget(m_icon);
    layout->addWidget(m_text);
    hide();
}

void StatusField::describe(const QString& what, const QString& help) {
    m_what = what;
    setWhatsThis(helpTip(help));
    showAccessibleName();
}

void StatusField::showAccessibleName() {
    setAccessibleName(tr("%1: %2", "what a field shows, and its text").arg(m_what, m_text->text()));
}

void StatusField::set(const QIcon& icon, const QString& text, const QString& toolTip) {
    m_icon->setIcon(icon);
    m_icon->setVisible(!icon.isNull());
    m_text->setText(text);
    setToolTip(helpTip(toolTip));
    showAccessibleName();
    setAccessibleDescription(shortened(toolTip, longestDescription));
    setVisible(!text.isEmpty());
}

QString StatusField::text() const {
    return m_text->text();
}

}  // namespace lockkeeper::ui

#include "moc_statusfield.cpp"
