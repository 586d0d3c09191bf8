#include "ui/window/statusfield.h"

#include "ui/help/helptip.h"
#include "ui/look/iconlabel.h"
#include "ui/look/plainlabel.h"
#include "ui/words/locktext.h"

#include <QHBoxLayout>
#include <QLabel>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype longestDescription = 4000;  // characters

}  // namespace

StatusField::StatusField(QString what, const QString& help, QWidget* parent)
    : QWidget(parent), m_what(std::move(what)), m_icon(new IconLabel(14, this)), m_text(plainLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 0);
    layout->setSpacing(5);
    layout->addWidget(m_icon);
    layout->addWidget(m_text);
    setWhatsThis(helpTip(help));
    hide();
}

void StatusField::set(const QIcon& icon, const QString& text, const QString& toolTip) {
    m_icon->setIcon(icon);
    m_icon->setVisible(!icon.isNull());
    m_text->setText(text);
    setToolTip(helpTip(toolTip));
    setAccessibleName(QStringLiteral("%1: %2").arg(m_what, text));
    setAccessibleDescription(shortened(toolTip, longestDescription));
    setVisible(!text.isEmpty());
}

QString StatusField::text() const {
    return m_text->text();
}

}  // namespace lockkeeper::ui

#include "moc_statusfield.cpp"
